// log.tsx: what happened, as sentences, the newest at the end.
import { useEffect, useRef } from 'preact/hooks';
import { houseSentence } from '../games/house_event';
import type { Face, Names } from '../games/face';
import type { LogEntry } from '../net/match';
import { t } from '../words/say';

export function entrySentence(face: Face, names: Names, { event }: LogEntry): string | null {
    if (event.house) return houseSentence(event.house, names);
    return event.event ? face.sentence(event.event, names) : null;
}

export function Log({ entries, face, names, upTo }: { entries: readonly LogEntry[]; face: Face; names: Names; upTo?: number }) {
    const list = useRef<HTMLOListElement>(null);
    const shown = upTo === undefined ? entries : entries.filter((entry) => entry.number <= upTo);
    useEffect(() => {
        if (list.current) list.current.scrollTop = list.current.scrollHeight;
    }, [shown.length]);
    return (
        <ol class="log" ref={list} tabIndex={0} aria-label={t('log')}>
            {shown.length === 0 ? <li class="soft">{t('log_empty')}</li> : null}
            {shown.map((entry, n) => {
                const text = entrySentence(face, names, entry);
                if (text === null) return null;
                const mark = entry.event.event && face.mark?.(entry.event.event);
                return <li key={n} class={`${mark ? 'mark' : ''}${entry.event.private ? ' own' : ''}${entry.event.house ? ' house' : ''}`}>{text}</li>;
            })}
        </ol>
    );
}
