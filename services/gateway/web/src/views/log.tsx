// log.tsx: what happened, as sentences, the newest at the end.
import { useEffect, useRef } from 'preact/hooks';
import { houseSentence } from '../games/house_event';
import type { Face, Names } from '../games/face';
import type { LogEntry } from '../net/match';
import { t } from '../words/say';
import { once, withCount } from './once';

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
            {once(shown, (entry) => entrySentence(face, names, entry)).map((said, n) => {
                const { event } = said.first.event;
                const mark = event && face.mark?.(event);
                return <li key={n} class={`${mark ? 'mark' : ''}${said.first.event.private ? ' own' : ''}${said.first.event.house ? ' house' : ''}`}>{withCount(said)}</li>;
            })}
        </ol>
    );
}
