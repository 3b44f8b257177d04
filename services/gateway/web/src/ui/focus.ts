// focus.ts: who plays by keyboard keeps the place, though a move takes buttons away.
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

const STOPS = 'button:not(:disabled), [tabindex="0"]';

// The group of buttons that one was in, by its class, and which of them it was.
interface Place {
    group: string;
    at: number;
}

function placeOf(one: Element): Place | null {
    const parent = one.parentElement;
    const group = parent?.classList[0];
    if (!parent || group === undefined || !one.matches(':focus-visible')) return null;
    return { group: `.${group}`, at: [...parent.querySelectorAll(STOPS)].indexOf(one) };
}

// Keeps the keyboard inside `box`. Until the buttons are there again, the box itself holds it.
export function useKeptFocus(box: RefObject<HTMLElement>): void {
    useEffect(() => {
        const inside = box.current;
        if (!inside) return undefined;
        let place: Place | null = null;
        const came = ({ target }: FocusEvent) => {
            if (target !== inside && target instanceof Element) place = placeOf(target);
        };
        const back = () => {
            const now = document.activeElement;
            if (!place || (now !== document.body && now !== inside)) return;
            const stops = inside.querySelector(place.group)?.querySelectorAll<HTMLElement>(STOPS) ?? [];
            const next = stops[Math.min(place.at, stops.length - 1)] ?? inside;
            if (next !== now) next.focus({ preventScroll: true });
        };
        const watcher = new MutationObserver(back);
        inside.addEventListener('focusin', came);
        watcher.observe(inside, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
        return () => {
            inside.removeEventListener('focusin', came);
            watcher.disconnect();
        };
    }, [box]);
}
