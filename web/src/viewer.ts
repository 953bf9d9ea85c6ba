/** An exported conversation, in a file that has this in it. */

import { mount } from 'svelte';
import App from './App.svelte';
import { session } from './state/session.svelte';
import { settings } from './state/settings.svelte';
import './style/tokens.css';
import './style/base.css';

session.standalone = true;
session.openText(document.title, document.getElementById('export')?.textContent ?? '');
const target = document.getElementById('app');
void settings.begin().then(() => target && mount(App, { target }));
