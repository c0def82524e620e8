// Coins and sparks of a win. They are the first effects that slow devices skip.
import { Container, Sprite } from 'pixi.js';

import type { Textures } from './textures.ts';

type Coin = { sprite: Sprite; vx: number; vy: number; turn: number; life: number };

const gravity = 1500;
const lifetime = 1.5;

export class Coins {
  readonly root = new Container();
  readonly #textures: Textures;
  #flying: Coin[] = [];

  constructor(textures: Textures) {
    this.#textures = textures;
  }

  get active(): boolean {
    return this.#flying.length > 0;
  }

  burst(count: number, width: number, height: number): void {
    for (let i = 0; i < count; i += 1) {
      const coin = i % 3 > 0;
      const sprite = new Sprite(this.#textures.effect(coin ? 'coin' : i % 2 ? 'glint' : 'spark'));
      sprite.anchor.set(0.5);
      const size = coin ? 14 + Math.random() * 16 : 10 + Math.random() * 14;
      sprite.setSize(size, size);
      sprite.position.set(
        width * (0.15 + 0.7 * Math.random()),
        height * (0.55 + 0.3 * Math.random()),
      );
      this.root.addChild(sprite);
      this.#flying.push({
        sprite,
        vx: (Math.random() - 0.5) * 360,
        vy: -420 - Math.random() * 420,
        turn: (Math.random() - 0.5) * 8,
        life: lifetime * (0.7 + Math.random() * 0.3),
      });
    }
  }

  step(seconds: number): void {
    const time = Math.min(seconds, 0.05);
    for (const coin of this.#flying) {
      const { sprite } = coin;
      coin.life -= time;
      coin.vy += gravity * time;
      sprite.x += coin.vx * time;
      sprite.y += coin.vy * time;
      sprite.rotation += coin.turn * time;
      sprite.alpha = Math.max(0, Math.min(1, coin.life * 3));
    }
    for (const { sprite } of this.#flying.filter(({ life }) => life <= 0)) sprite.destroy();
    this.#flying = this.#flying.filter(({ life }) => life > 0);
  }

  clear(): void {
    for (const { sprite } of this.#flying) sprite.destroy();
    this.#flying = [];
  }
}
