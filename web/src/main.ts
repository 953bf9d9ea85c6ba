import { mount } from 'svelte';
import { takeKey } from './api/key';
import App from './App.svelte';
import { session } from './state/session.svelte';
import { settings } from './state/settings.svelte';
import './style/tokens.css';
import './style/base.css';

// Before anybody else reads the address.
takeKey();
session.begin();
const target = document.getElementById('app');
void settings.begin().then(() => target && mount(App, { target }));
