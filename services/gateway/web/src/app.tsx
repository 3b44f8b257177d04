// app.tsx: the frame around every view: header, connection, the view itself.
import { effect, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { titleOf } from './games/face';
import { announced, door, invitation, matches, me, nameOfPlayer, opened, tables } from './net/house';
import { hexOf } from './net/ids';
import { Avatar } from './ui/avatar';
import { announceTurn, inTitle } from './ui/prefer';
import { go, route } from './ui/route';
import { Lobby } from './views/lobby';
import { Offered } from './views/offered';
import { MatchView } from './views/match';
import { Operator } from './views/operator';
import { ReplayView } from './views/replay';
import { Settings } from './views/settings';
import { TableView, Terms } from './views/table';
import { closingWords } from './words/refusals';
import { language, t } from './words/say';

function View() {
    const { name, id, query } = route.value;
    switch (name) {
        case 'table':
            return <TableView key={id} id={id} />;
        case 'join':
            return <TableView key={id} id="" code={id} />;
        case 'match':
            return <MatchView key={id} id={id} code={query.get('code') ?? undefined} />;
        case 'replay':
            return <ReplayView key={id} id={id} />;
        case 'house':
            return <Operator given={id} />;
        case 'lobby':
        case 'device':
            return <Lobby />;
        default:
            return <p class="empty">{t('not_found')}</p>;
    }
}

// A state, not an alarm: what is on the board stays readable, and it comes back by itself.
function LineState() {
    const line = door.line.value;
    if (line === 'open') return null;
    if (line === 'new')
        return (
            <div class="line" role="status">
                {t('connecting')}
            </div>
        );
    return (
        <div class="line lost" role="status">
            <span class="dot" aria-hidden="true" /> {closingWords(door.closing.value) || t('lost')}
        </div>
    );
}

// What the house tells everybody. Who has read it closes it; another text comes up again.
function Announced() {
    const read = useSignal('');
    const said = announced.value;
    const stop = Number(said?.stop_ms ?? 0);
    if (!said?.text || read.value === said.text || (stop > 0 && stop <= Date.now())) return null;
    const time = new Date(stop).toLocaleTimeString(language.value, { timeStyle: 'short' });
    return (
        <div class="notice announcement row between" role="status">
            <span>
                {stop > 0 ? t('announced_stop', { time, text: said.text }) : t('announced', { text: said.text })}
            </span>
            <button
                class="button plain small"
                aria-label={t('close')}
                onClick={() => {
                    read.value = said.text ?? '';
                }}
            >
                ✕
            </button>
        </div>
    );
}

function Header({ onSettings }: { onSettings: () => void }) {
    const mine = [...tables.value.values()].filter(({ table }) => table.phase === 'PHASE_PLAYING');
    return (
        <header class="top">
            <a class="brand" href="#/">
                <img src="/icon.svg" alt="" width="28" height="28" /> {t('arbiter')}
            </a>
            <nav class="row">
                {route.value.name === 'lobby' && mine[0] ? (
                    <a
                        class="button small main"
                        href="#"
                        onClick={(event) => {
                            event.preventDefault();
                            goToMatch(mine[0]!.table.match_id);
                        }}
                    >
                        {t('go_on')}
                    </a>
                ) : null}
                <button class="button plain small who" onClick={onSettings}>
                    <span class="unseen">{t('settings')}</span>
                    {me.value ? (
                        <>
                            <Avatar avatar={me.value.avatar} name={me.value.name} /> <span>{me.value.name}</span>
                        </>
                    ) : (
                        <svg class="sliders" viewBox="0 0 20 20" aria-hidden="true">
                            <path d="M2 5h16M2 10h16M2 15h16" />
                            <circle cx="7" cy="5" r="2.500" />
                            <circle cx="13" cy="10" r="2.500" />
                            <circle cx="6" cy="15" r="2.500" />
                        </svg>
                    )}
                </button>
            </nav>
        </header>
    );
}

function goToMatch(id: string | undefined): void {
    go(`/match/${hexOf(id)}`);
}

function Invited() {
    const called = invitation.value;
    if (!called) return null;
    const who = called.inviter?.name ?? nameOfPlayer(called.by ?? '') ?? called.at?.host_name;
    const game = titleOf(called.game ?? '');
    return (
        <div class="notice row between" role="status">
            <span>
                {who ? t('invited_by', { who, game }) : t('invited', { game })}{' '}
                {called.at ? <Terms table={called.at} /> : null}
            </span>
            <span class="buttons">
                <button
                    class="button small main"
                    onClick={() => {
                        invitation.value = null;
                        go(`/join/${called.code}`);
                    }}
                >
                    {t('join')}
                </button>
                <button
                    class="button small"
                    onClick={() => {
                        invitation.value = null;
                    }}
                >
                    {t('close')}
                </button>
            </span>
        </div>
    );
}

// The title says that somebody waits; the sound and the notification come once for each turn.
function watchTurns(): () => void {
    let was = false;
    return effect(() => {
        void opened.value;
        const isTurn = [...matches.values()].some(
            (match) => match.seat !== undefined && match.toAct.value && !match.over.value,
        );
        document.title = isTurn && inTitle.value.value === 'on' ? `● ${t('your_turn')} – Arbiter` : 'Arbiter';
        if (isTurn && !was) announceTurn(t('your_turn'));
        was = isTurn;
    });
}

export function App() {
    const settings = useSignal(false);
    useEffect(watchTurns, []);
    return (
        <>
            <a
                class="skip"
                href="#main"
                onClick={(event) => {
                    event.preventDefault();
                    document.getElementById('main')?.focus();
                }}
            >
                {t('skip')}
            </a>
            <Header
                onSettings={() => {
                    settings.value = true;
                }}
            />
            <LineState />
            <main id="main" tabIndex={-1}>
                <Announced />
                <Invited />
                <Offered />
                <View />
            </main>
            {settings.value ? (
                <Settings
                    onClose={() => {
                        settings.value = false;
                    }}
                />
            ) : null}
        </>
    );
}
