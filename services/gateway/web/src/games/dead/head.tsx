// head.tsx: how the colony stands, at a glance: round, morale, food, waste, hunger, children, the crisis, the goal.
import type { View } from '../../generated/dead';
import { both } from '../../words/say';
import { Icon } from './icons';
import type { Lore } from './lore';
import { roundNumber } from './words';

function Figure({
    mark,
    words,
    value,
    of,
    isLow,
}: {
    mark: string;
    words: string;
    value: number | string;
    of?: number;
    isLow?: boolean;
}) {
    return (
        <div class={`figure${isLow ? ' low' : ''}`}>
            <Icon name={mark} />
            <span>
                <b class="num" key={String(value)}>
                    {value}
                    {of === undefined ? '' : <small>/{of}</small>}
                </b>
                <small>{words}</small>
            </span>
        </div>
    );
}

function Figures({ view, lore }: { view: View; lore: Lore }) {
    const goal = lore.names.setup?.goal ?? {};
    const people = (view.survivors ?? []).length + (view.children ?? 0);
    const colony = lore.colony;
    const eaters = (view.survivors ?? []).filter((one) => one.location_id === colony).length + (view.children ?? 0);
    const barricades = (view.locations ?? []).reduce(
        (sum, place) => sum + (place.entrances ?? []).reduce((all, one) => all + (one.barricades ?? 0), 0),
        0,
    );
    return (
        <div class="figures">
            {view.round ? (
                <Figure
                    mark="round"
                    words={both(['round', 'Runde'])}
                    value={roundNumber(view.round, lore)}
                    of={goal.rounds}
                />
            ) : null}
            <Figure
                mark="morale"
                words={both(['morale', 'Moral'])}
                value={view.moral ?? 0}
                isLow={(view.moral ?? 0) <= 2}
            />
            <Figure
                mark="food"
                words={both(['food', 'Essen'])}
                value={view.food ?? 0}
                isLow={(view.food ?? 0) < Math.ceil(eaters / 2)}
            />
            <Figure
                mark="waste"
                words={both(['waste', 'Müll'])}
                value={view.waste ?? 0}
                isLow={(view.waste ?? 0) >= 10}
            />
            <Figure
                mark="hunger"
                words={both(['hunger', 'Hunger'])}
                value={view.starvation_tokens ?? 0}
                isLow={(view.starvation_tokens ?? 0) > 0}
            />
            <Figure mark="people" words={both(['people', 'Leute'])} value={people} />
            {goal.barricades ? (
                <Figure
                    mark="barricade"
                    words={both(['barricades', 'Barrikaden'])}
                    value={barricades}
                    of={goal.barricades}
                />
            ) : null}
        </div>
    );
}

function Crisis({
    crisis,
    given,
    lore,
}: {
    crisis: NonNullable<ReturnType<Lore['crisis']>>;
    given: number;
    lore: Lore;
}) {
    return (
        <div class="crisis">
            <strong>{crisis.title}</strong>
            <span class="small">
                {both(['{n} × {kind}, or morale −{c}', '{n} × {kind}, sonst Moral −{c}'], {
                    n: crisis.needs,
                    kind: lore.kind(crisis.kind),
                    c: crisis.costs,
                })}
            </span>
            <span
                class="given"
                role="img"
                aria-label={both(['{g} of {n} given', '{g} von {n} gegeben'], { g: given, n: crisis.needs })}
            >
                {Array.from({ length: Math.max(crisis.needs, given) }, (_, n) => (
                    <i key={n} class={n < given ? 'has' : ''} />
                ))}
            </span>
        </div>
    );
}

// What all play for; at the end, in the same place, what became of it. So nothing moves.
function Goal({ view, lore }: { view: View; lore: Lore }) {
    if (view.win === undefined || view.phase !== 'OVER')
        return lore.names.texts.goal ? <p class="small soft goal">{lore.names.texts.goal}</p> : null;
    return (
        <p class="goal deadend" role="status">
            {view.win
                ? both(['The colony has held out!', 'Die Kolonie hat durchgehalten!'])
                : both(['The colony is lost.', 'Die Kolonie ist verloren.'])}
        </p>
    );
}

export function Head({ view, lore }: { view: View; lore: Lore }) {
    const crisis = lore.crisis(view.crisis_id);
    return (
        <section class="deadhead">
            <Figures view={view} lore={lore} />
            {crisis ? <Crisis crisis={crisis} given={view.contributed ?? 0} lore={lore} /> : null}
            <Goal view={view} lore={lore} />
        </section>
    );
}
