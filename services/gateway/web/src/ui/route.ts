// route.ts: where in the page one is: the part of the address behind the #, so that any web server can hold the page.
import { signal } from '@preact/signals';

export interface Route { name: string; id: string; query: URLSearchParams }

function read(): Route {
    const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [name = '', id = ''] = path.split('/');
    return { name: name || 'lobby', id: decodeURIComponent(id), query: new URLSearchParams(query) };
}

export const route = signal<Route>(read());
window.addEventListener('hashchange', () => { route.value = read(); });

export function go(to: string): void {
    location.hash = to;
}
