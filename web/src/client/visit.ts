/**
 * Being let in: a host that serves other machines wants to see a token once.
 *
 * The token is not kept here; the host's cookie stands for it from then on.
 */

/** How a host answers to who asks for its world. */
export type Visit =
  | { readonly state: 'in'; readonly role: string }
  | { readonly state: 'out'; readonly reason: string }
  | { readonly state: 'unreachable' };

const PATH = '/visit';

/** Asks as what this page is let in. */
export async function ask(fetching: typeof fetch = fetch): Promise<Visit> {
  return await answer(fetching, { method: 'GET' });
}

/** Shows a token. */
export async function enter(token: string, fetching: typeof fetch = fetch): Promise<Visit> {
  return await answer(fetching, { method: 'POST', body: token.trim() });
}

/** Returns the token of an address like `https://host/#token=…`; none when it has none. */
export function tokenOf(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/u, '')).get('token');
  return token === null || token === '' ? undefined : token;
}

async function answer(fetching: typeof fetch, request: RequestInit): Promise<Visit> {
  try {
    const reply = await fetching(PATH, { ...request, credentials: 'same-origin', cache: 'no-store' });
    const text = (await reply.text()).trim();
    return reply.ok ? { state: 'in', role: text } : { state: 'out', reason: text };
  } catch {
    // No answer at all: the connection of the page says so, and tries again.
    return { state: 'unreachable' };
  }
}
