/** An exported conversation, in a file that has this in it. */

import { mount } from 'svelte';
import App from './App.svelte';
import { session } from './state/session.svelte';
import { settings } from './state/settings.svelte';
import './style/tokens.css';
import './style/base.css';

session.standalone = true;
settings.begin();
session.openText(document.title, document.getElementById('export')?.textContent ?? '');
const target = document.getElementById('app');
if (target) mount(App, { target });
