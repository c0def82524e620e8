// Prints slow tests, flaky tests, failures and the total of a test run: node scripts/summary.mjs FOLDER RUNNER...
// FOLDER contains RUNNER.json, the runner's report, and RUNNER.exit if the runner failed. Exits with 1 after a failure.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const [folder, ...runners] = process.argv.slice(2);
const total = { pass: 0, skip: 0, failures: [], flaky: [], slow: [] };

function add(name, state, { message = '', seconds = 0, flaky = false } = {}) {
  if (state === 'fail') total.failures.push(`${name}: ${message}`);
  else if (state) total[state]++;
  if (flaky) total.flaky.push(name);
  if (seconds >= 1) total.slow.push({ name, seconds });
}

// Reads the events of `go test -json`. A rerun adds events, so the last result of a test counts. The checks write such events too.
function readGo(text) {
  const tests = new Map();
  for (const line of text.split('\n').filter((row) => row.includes('"Package":'))) {
    const { Action, Package, Test = '', Output = '', Elapsed = 0 } = JSON.parse(line);
    const key = `${Package} ${Test}`;
    if (!tests.has(key)) tests.set(key, { Test, message: '', state: 'fail', hasFailed: false }); // until it ends
    const test = tests.get(key);
    if (Action === 'run') test.message = '';
    if (Action === 'output' && !/^\s*(===|---) /.test(Output)) test.message += Output;
    if (Action === 'fail') test.hasFailed = true;
    if (['pass', 'fail', 'skip'].includes(Action)) Object.assign(test, { state: Action, seconds: Elapsed });
  }
  const failed = [...tests.keys()].filter((key) => tests.get(key).state === 'fail');
  for (const [key, { Test, state, message, seconds, hasFailed }] of tests) {
    const hasFailedPart = failed.some((other) => other !== key && other.startsWith(Test ? `${key}/` : key));
    if (state === 'fail' ? hasFailedPart : !Test) continue; // its failed part counts instead, and a package is not a test
    const isRoot = !Test.includes('/');
    add(key.trim(), state, { message, seconds: isRoot ? seconds : 0, flaky: isRoot && state === 'pass' && hasFailed });
  }
}

function readVitest(text) {
  for (const { name, status, message, startTime, endTime, assertionResults: tests } of JSON.parse(text).testResults) {
    const hasFailedTest = tests.some((test) => test.status === 'failed');
    add(basename(name), status === 'failed' && !hasFailedTest && 'fail', { message, seconds: (endTime - startTime) / 1000 });
    for (const { fullName, status: end, failureMessages: errors } of tests) {
      const state = { passed: 'pass', failed: 'fail' }[end] ?? 'skip';
      add(`${basename(name)} ${fullName}`, state, { message: errors.join('\n'), flaky: state === 'pass' && errors[0] });
    }
  }
}

function readPlaywright(text) {
  const report = JSON.parse(text);
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];
  for (const { file, line, title, tests } of specsOf(report))
    for (const { status, results } of tests) {
      const message = results.flatMap((result) => result.errors ?? []).map((error) => error.message).join('\n');
      const seconds = results.reduce((sum, result) => sum + (result.duration ?? 0) / 1000, 0);
      const state = { expected: 'pass', flaky: 'pass', skipped: 'skip' }[status] ?? 'fail';
      add(`${file}:${line} ${title}`, state, { message, seconds, flaky: status === 'flaky' });
    }
  for (const { message } of report.errors ?? []) add('playwright', 'fail', { message });
}

for (const runner of runners) {
  const before = [total.pass, total.failures.length];
  try {
    ({ web: readVitest, e2e: readPlaywright }[runner] ?? readGo)(readFileSync(`${folder}/${runner}.json`, 'utf8'));
  } catch (error) {
    add(runner, 'fail', { message: `no complete report: ${error.message}` });
  }
  if (total.failures.length > before[1]) continue;
  if (existsSync(`${folder}/${runner}.exit`)) add(runner, 'fail', { message: 'failed without a failed test' });
  else if (total.pass === before[0]) add(runner, 'fail', { message: 'no test ran' });
}
if (total.skip > 0) add('summary', 'fail', { message: `${total.skip} tests did not run` });
if (total.flaky.length > 5) add('summary', 'fail', { message: `${total.flaky.length} flaky tests, the limit is 5` });

const oneLine = (text) => text.replaceAll(/\x1b\[[0-9;]*m/g, '').split(/\s*\n\s*/).filter(Boolean).join(' | ').slice(0, 300);
const slowest = total.slow.sort((a, b) => b.seconds - a.seconds).slice(0, 20);
for (const { name, seconds } of slowest) console.log(`slow: ${name} ${Math.round(seconds)}`);
for (const name of total.flaky) console.log(`flaky: ${name}`);
for (const failure of total.failures) console.log(`FAIL ${oneLine(failure)}`);
console.log(`${total.pass} passed, ${total.failures.length} failed`);
process.exitCode = total.pass === 0 || total.failures.length > 0 ? 1 : 0;
