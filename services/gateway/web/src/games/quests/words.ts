// words.ts: what happens in quests, a sentence each.
import type { Card, Event } from '../../generated/quests';
import { both, type Both } from '../../words/say';
import type { Names } from '../face';
import { cardName, eventName } from './cards';
import type { GameMessage, Json } from '../../proto/game';

type Say = (what: GameMessage, names: Names) => string | null;

const list = (cards: readonly Card[] | undefined) =>
    (cards ?? []).map(cardName).join(', ') || both(['nothing', 'nichts']);
const who = (names: Names, seats: readonly number[] | undefined) =>
    (seats ?? []).map((seat) => names.name(seat)).join(', ');
const by =
    (sentence: Both): Say =>
    (what, names) =>
        both(sentence, {
            name: names.name(what.player ?? what.sponsor),
            n: what.count,
            stage: what.stage,
            stages: what.stages,
        });

export const SAYS: Record<string, Say> = {
    game_started: (what) =>
        both(['The game begins; {n} shields win.', 'Das Spiel beginnt; {n} Schilde gewinnen.'], {
            n: what.winning_shields,
        }),
    hand: () => null,
    prompt: () => null,
    can_sponsor: (what) =>
        what.able
            ? null
            : both(['Your hand could not build this quest.', 'Mit deiner Hand ließe sich diese Quest nicht bauen.']),
    reshuffled: (what) =>
        both(['A deck is empty: {n} cards are shuffled.', 'Ein Stapel ist leer: {n} Karten werden gemischt.'], {
            n: what.count,
        }),
    draw_short: by(['There are not enough cards for {name}.', 'Für {name} reichen die Karten nicht.']),
    turn_started: by(['It is {name}’s turn.', '{name} ist am Zug.']),
    event_card: (what, names) =>
        both(['{name} turns over: {card}.', '{name} deckt auf: {card}.'], {
            name: names.name(what.player),
            card: eventName(what.card),
        }),
    event_discarded: () => null,
    shields_changed: (what, names) =>
        what.delta === 0
            ? null
            : both(
                  what.delta > 0
                      ? ['{name} earns {n} {n|shield|shields}.', '{name} bekommt {n} {n|Schild|Schilde}.']
                      : ['{name} loses {n} {n|shield|shields}.', '{name} verliert {n} {n|Schild|Schilde}.'],
                  { name: names.name(what.player), n: Math.abs(what.delta) },
              ),
    drew: (what, names) =>
        what.count === undefined
            ? both(['{name} draws {cards}.', '{name} zieht {cards}.'], {
                  name: names.name(what.player),
                  cards: list(what.cards),
              })
            : both(['{name} draws {n} {n|card|cards}.', '{name} zieht {n} {n|Karte|Karten}.'], {
                  name: names.name(what.player),
                  n: what.count,
              }),
    discarded: (what, names) =>
        what.count === undefined
            ? both(['{name} discards {cards}.', '{name} legt {cards} ab.'], {
                  name: names.name(what.player),
                  cards: list(what.cards),
              })
            : both(['{name} discards {n} {n|card|cards}.', '{name} legt {n} {n|Karte|Karten} ab.'], {
                  name: names.name(what.player),
                  n: what.count,
              }),
    sponsor_declined: by(['{name} does not sponsor.', '{name} richtet nicht aus.']),
    sponsor_found: by([
        '{name} sponsors the quest of {stages} stages.',
        '{name} richtet die Quest mit {stages} Stufen aus.',
    ]),
    no_sponsor: () => both(['Nobody sponsors the quest.', 'Niemand richtet die Quest aus.']),
    stage_card: () => null,
    stage_cleared: () => null,
    stage_built: (what) =>
        both(['Stage {stage} stands, of {n} {n|card|cards}.', 'Stufe {stage} steht, aus {n} {n|Karte|Karten}.'], {
            stage: what.stage,
            n: what.count,
        }),
    quest_restarted: by(['{name} builds the quest anew.', '{name} baut die Quest neu.']),
    quest_ready: () => both(['The quest is ready.', 'Die Quest steht.']),
    stage_started: (what, names) =>
        both(['Stage {stage}: {who} may tackle it.', 'Stufe {stage}: {who} {n|darf|dürfen} sie angehen.'], {
            n: what.eligible?.length ?? 0,
            stage: what.stage,
            who: who(names, what.eligible),
        }),
    participates: by(['{name} tackles stage {stage}.', '{name} geht Stufe {stage} an.']),
    withdrew: by(['{name} withdraws.', '{name} steigt aus.']),
    participants: () => null,
    attack_card: () => null,
    attack_set: by(['{name}’s attack is set.', '{name}s Angriff steht.']),
    stage_resolved: (what, names) =>
        both(['Stage {stage} is worth {v}. {all}', 'Stufe {stage} ist {v} wert. {all}'], {
            stage: what.stage,
            v: what.value,
            all: (what.attacks ?? [])
                .map((one: Json) => `${names.name(one.player)} ${one.value ?? 0} ${one.success ? '✓' : '✗'}`)
                .join(' · '),
        }),
    quest_ended: (what, names) =>
        what.winners?.length
            ? both(['The quest is won by {who}!', '{who} {n|besteht|bestehen} die Quest!'], {
                  who: who(names, what.winners),
                  n: what.winners.length,
              })
            : both(['The quest ends without a winner.', 'Die Quest endet ohne Sieger.']),
    turn_ended: () => null,
    game_over: (what, names) =>
        both(['{who} {n|wins|win} the game!', '{who} {n|gewinnt|gewinnen} das Spiel!'], {
            who: who(names, what.winners),
            n: what.winners?.length ?? 0,
        }),
    expired: by(['{name}’s time ran out.', 'Die Zeit von {name} ist um.']),
};

export function sentence(event: Event, names: Names): string | null {
    for (const [kind, what] of Object.entries(event)) return SAYS[kind]?.(what, names) ?? null;
    return null;
}
