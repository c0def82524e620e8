package rest

import "testing"

func TestMemberTypes(t *testing.T) {
	t.Parallel()
	for kind, want := range map[MemberType]struct{ real, agent bool }{
		0: {real: true}, 1: {real: true, agent: true}, 2: {real: true, agent: true}, 3: {}, 4: {}, 40: {}, 41: {}, 42: {}, -1: {},
	} {
		if kind.Real() != want.real || kind.Agent() != want.agent {
			t.Errorf("type %d: real = %v, agent = %v, want %+v", kind, kind.Real(), kind.Agent(), want)
		}
	}
}
