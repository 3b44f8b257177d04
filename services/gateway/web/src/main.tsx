// main.tsx: where the page begins.
import { render } from 'preact';
import './ui/theme.css';
import './ui/parts.css';
import './views/match.css';
import './views/views.css';
import './views/operator.css';
import { App } from './app';
import { door, offered } from './net/house';
import { apply } from './ui/prefer';
import { route } from './ui/route';
import { language, speak } from './words/say';

apply();
speak(language.value);
// A code of another device stands behind the #, where no server's log ever sees it. Behind the code stands the secret
// of which that device makes its bytes for the dice. The visitor is asked before this page becomes another's.
const [code = '', secret = ''] = route.value.name === 'device' ? route.value.id.split('.') : [];
if (code !== '') history.replaceState(null, '', '#/');
if (code !== '') offered.value = { code, secret };
door.open();
render(<App />, document.getElementById('page')!);
