import { mount } from 'svelte'
import App from './App.svelte'
import './shared/base.css'
import { words } from './shared/words/i18n.svelte'
import { theme } from './shared/frame/theme.svelte'

theme.begin(location.search)
await words.begin(location.search)
mount(App, { target: document.getElementById('page')! })
