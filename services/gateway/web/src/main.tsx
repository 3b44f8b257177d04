// main.tsx: where the page begins.
import { render } from 'preact';
import './ui/theme.css';
import './ui/parts.css';
import './views/match.css';
import './views/views.css';
import './views/operator.css';
import { App } from './app';
import { door } from './net/house';
import { apply } from './ui/prefer';
import { route } from './ui/route';
import { language, speak } from './words/say';

apply();
speak(language.value);
// A code of another device stands behind the #, where no server's log ever sees it.
const code = route.value.name === 'device' ? route.value.id : '';
if (code !== '') history.replaceState(null, '', '#/');
door.open(code === '' ? null : { code });
render(<App />, document.getElementById('page')!);
