/** Starts the page. */
import { mount } from 'svelte';

import App from './App.svelte';
import './app.css';
import { installHook } from './hook';
import { Session } from './session.svelte';
import { Theme } from './theme.svelte';

const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
const session = new Session(`${scheme}//${location.host}/ws`);
const theme = new Theme();
const target = document.getElementById('app');
if (target === null) {
  throw new Error('index.html has no element with the id "app"');
}
mount(App, { target, props: { session, theme } });
installHook(session);
session.start();
