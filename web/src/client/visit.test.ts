import { expect, it } from 'vitest';

import { ask, enter, tokenOf } from './visit';

const replying = (status: number, text: string, seen: RequestInit[] = []): typeof fetch =>
  (_, request) => {
    seen.push(request ?? {});
    return Promise.resolve(new Response(text, { status }));
  };

it('tells as what the page is let in', async () => {
  expect(await ask(replying(200, 'editor'))).toEqual({ state: 'in', role: 'editor' });
  expect(await ask(replying(401, 'A token is needed'))).toEqual({ state: 'out', reason: 'A token is needed' });
  expect(await ask(() => Promise.reject(new TypeError('no network')))).toEqual({ state: 'unreachable' });
});

it('shows the token in the body, where no log has it', async () => {
  const seen: RequestInit[] = [];
  expect(await enter('  secret ', replying(200, 'viewer', seen))).toEqual({ state: 'in', role: 'viewer' });
  expect(seen[0]).toMatchObject({ method: 'POST', body: 'secret' });
});

it('finds the token of a link', () => {
  expect(tokenOf('#token=abc123')).toBe('abc123');
  expect(tokenOf('#token=')).toBeUndefined();
  expect(tokenOf('#view=top')).toBeUndefined();
  expect(tokenOf('')).toBeUndefined();
});
