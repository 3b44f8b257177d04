// chat.tsx: what is said at a table; never part of a match.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask, me } from '../net/house';
import type { Seen } from '../net/tables';
import { answerWords } from '../words/refusals';
import { both, t } from '../words/say';
import { PHRASES } from '../words/words';

export function Chat({ seen }: { seen: Seen }) {
    const text = useSignal('');
    const list = useRef<HTMLUListElement>(null);
    const table = seen.table.table;
    // The house tells the names of those who sat here, and of the others only who is the host.
    const name = (player = '') =>
        seen.names[player] ??
        (player === me.value?.player ? me.value.name : t(player === seen.table.host ? 'host' : 'somebody'));
    useEffect(() => {
        if (list.current) list.current.scrollTop = list.current.scrollHeight;
    }, [seen.chat.length]);
    const fault = useSignal('');
    const say = async (what: { text: string } | { phrase: number }) => {
        fault.value = answerWords(await ask({ chat: { table, ...what } }));
    };
    const submit = (event: Event) => {
        event.preventDefault();
        if (text.value.trim() === '') return;
        void say({ text: text.value.trim() });
        text.value = '';
    };
    return (
        <div class="chat">
            <ul ref={list} class="chatlist" aria-live="polite" aria-label={t('chat')} tabIndex={0}>
                {seen.chat.length === 0 ? <li class="soft small">{t('chat_empty')}</li> : null}
                {seen.chat.map((line, n) => (
                    <li key={n}>
                        <strong>{line.player === undefined ? t('the_house') : name(line.player)}</strong>{' '}
                        {line.text ?? (PHRASES[(line.phrase ?? 0) - 1] ? both(PHRASES[(line.phrase ?? 0) - 1]!) : '')}
                    </li>
                ))}
            </ul>
            <div class="phrases">
                {PHRASES.map((phrase, n) => (
                    <button key={n} class="button small plain" onClick={() => void say({ phrase: n + 1 })}>
                        {both(phrase)}
                    </button>
                ))}
            </div>
            {seen.table.chat === false ? null : (
                <form class="joincode" onSubmit={submit}>
                    <input
                        class="input"
                        maxLength={140}
                        value={text.value}
                        aria-label={t('say_something')}
                        placeholder={t('say_something')}
                        onInput={(event) => {
                            text.value = event.currentTarget.value;
                        }}
                    />
                    <button class="button">{t('say')}</button>
                </form>
            )}
            {fault.value ? (
                <p class="bad small" role="alert">
                    {fault.value}
                </p>
            ) : null}
        </div>
    );
}
