// log.tsx: what happened, as sentences, the newest at the end. In a replay all of it, and a click leads to where it
// happened.
import type { Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { houseSentence } from '../games/house_event';
import type { Face, Names } from '../games/face';
import type { LogEntry } from '../net/match';
import { t } from '../words/say';
import { once, withCount } from './once';

export function entrySentence(face: Face, names: Names, { event }: LogEntry): string | null {
    if (event.house) return houseSentence(event.house, names, face.hasDice(names));
    return event.event ? face.sentence(event.event, names) : null;
}

export function Log({ entries, face, names }: { entries: readonly LogEntry[]; face: Face; names: Names }) {
    const list = useRef<HTMLOListElement>(null);
    useEffect(() => {
        if (list.current) list.current.scrollTop = list.current.scrollHeight;
    }, [entries.length]);
    return (
        <ol class="log" ref={list} tabIndex={0} aria-label={t('log')}>
            {entries.length === 0 ? <li class="soft">{t('log_empty')}</li> : null}
            {once(entries, (entry) => entrySentence(face, names, entry)).map((said, n) => (
                <li key={n} class={classOf(face, names, said.first)}>
                    {withCount(said)}
                </li>
            ))}
        </ol>
    );
}

function classOf(face: Face, names: Names, { event }: LogEntry): string {
    const isMark = event.event && face.mark?.(event.event, names);
    return `${isMark ? 'mark' : ''}${event.private ? ' own' : ''}${event.house ? ' house' : ''}`;
}

// Of a finished match: what is still to come is pale.
export function Story({
    entries,
    face,
    names,
    at,
}: {
    entries: readonly LogEntry[];
    face: Face;
    names: Names;
    at: Signal<number>;
}) {
    const list = useRef<HTMLOListElement>(null);
    const all = useMemo(
        () => once(entries, (entry) => entrySentence(face, names, entry)),
        [entries, face, names.texts, names.seat],
    );
    const now = all.filter(({ first }) => first.number <= at.value).length - 1;
    useEffect(() => {
        const line = list.current?.children[now] as HTMLElement | undefined;
        if (list.current && line) list.current.scrollTop = line.offsetTop - list.current.clientHeight / 2;
    }, [now, all]);
    return (
        <ol class="log story" ref={list} tabIndex={0} aria-label={t('log')}>
            {all.map((said, n) => (
                <li key={n} class={`${classOf(face, names, said.first)}${n > now ? ' later' : ''}`}>
                    <button
                        aria-current={n === now ? 'step' : undefined}
                        onClick={() => {
                            at.value = said.first.number;
                        }}
                    >
                        {withCount(said)}
                    </button>
                </li>
            ))}
        </ol>
    );
}
