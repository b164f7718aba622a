/** Starts the page. */
import { mount, unmount } from 'svelte';

import { ask, enter, tokenOf } from '../client/visit';
import App from './App.svelte';
import './app.css';
import Door from './Door.svelte';
import { installHook } from './hook';
import { Session } from './session.svelte';
import { Theme } from './theme.svelte';

const found = document.getElementById('app');
if (found === null) {
  throw new Error('index.html has no element with the id "app"');
}
const target = found;
const theme = new Theme();

/** Lets the page in: by the token of its address, or by one that the person has. */
async function come(): Promise<void> {
  const token = tokenOf(location.hash);
  if (token !== undefined) {
    // Neither the history nor a bookmark keeps it.
    history.replaceState(undefined, '', location.pathname);
  }
  const visit = token === undefined ? await ask() : await enter(token);
  if (visit.state !== 'out') {
    start();
    return;
  }
  const onenter = (): void => {
    void unmount(door);
    start();
  };
  const door = mount(Door, { target, props: { reason: visit.reason, onenter } });
}

/** Starts the workbench. */
function start(): void {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const session = new Session(`${scheme}//${location.host}/ws`);
  mount(App, { target, props: { session, theme } });
  session.lost.on(() => {
    void comeAnew();
  });
  installHook(session);
  session.start();
}

/** A visit may have ended, and a host that was started anew may have other tokens. */
async function comeAnew(): Promise<void> {
  if ((await ask()).state === 'out') {
    location.reload();
  }
}

void come();
