// route.ts: where in the page one is: the part of the address behind the #, so that any web server can hold the page.
import { signal } from '@preact/signals';

export interface Route {
    name: string;
    id: string;
    query: URLSearchParams;
}

// What was cut off in the middle of an escape leads nowhere.
function decoded(text: string): string | undefined {
    try {
        return decodeURIComponent(text);
    } catch {
        return undefined;
    }
}

function read(): Route {
    const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [name = '', coded = ''] = path.split('/');
    const id = decoded(coded);
    return { name: id === undefined ? 'broken' : name || 'lobby', id: id ?? '', query: new URLSearchParams(query) };
}

export const route = signal<Route>(read());
window.addEventListener('hashchange', () => {
    route.value = read();
});

export function go(to: string): void {
    location.hash = to;
}
// Where one would have been led on from: no step of its own to come back to.
export function goInstead(to: string): void {
    history.replaceState(null, '', `#${to}`);
    route.value = read();
}
