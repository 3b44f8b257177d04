// token.tsx: the people of the dead: a small portrait each, drawn from the character's number, with what ails him.
import type { View_Survivor } from '../../generated/dead';
import { both } from '../../words/say';
import { Icon } from './icons';
import type { Lore } from './lore';

const SKINS = ['#f1cfae', '#e3b48c', '#c98f64', '#9c6644', '#f6dcc3'];
const HAIRS = ['#2f2620', '#6b4226', '#b5793a', '#d8c08a', '#8a8580', '#7c2f25', '#3b3f56'];
const COATS = ['#4c6b8a', '#7d5a4f', '#5b7a4c', '#8a4c62', '#6b5a86', '#93722e', '#3f6f6c'];

// The same person looks the same in every match.
export function Portrait({ id }: { id: number }) {
    const of = (list: readonly string[], salt: number) => list[(id * 11 + salt * 13) % list.length]!;
    const style = id % 5;
    return (
        <svg class="portrait" viewBox="0 0 40 40" aria-hidden="true">
            <rect width="40" height="40" fill="#dfe8ee" />
            <path d="M4 42c0-10 7-14 16-14s16 4 16 14z" fill={of(COATS, 3)} />
            <path d="M16 26h8v6l-4 3-4-3z" fill={of(SKINS, 1)} />
            <ellipse cx="20" cy="18" rx="8.500" ry="10" fill={of(SKINS, 1)} />
            {style === 0 ? <path d="M11 17c-1-12 19-12 18 0-3-5-6-6-9-6s-6 1-9 6z" fill={of(HAIRS, 2)} /> : null}
            {style === 1 ? (
                <path d="M10 26c-3-22 23-22 20 0-2-3-2-8-3-12-4 1-10 1-14-1-1 4-1 10-3 13z" fill={of(HAIRS, 2)} />
            ) : null}
            {style === 2 ? (
                <>
                    <path d="M10 14h20l-2-8c-5-3-11-3-16 0z" fill={of(COATS, 5)} />
                    <path d="M8 15h24v-2H8z" fill={of(COATS, 5)} stroke="#0002" />
                </>
            ) : null}
            {style === 3 ? (
                <>
                    <path d="M11 16c0-11 18-11 18 0-4-3-14-3-18 0z" fill={of(HAIRS, 2)} />
                    <path d="M11 30h18l-2 5H13z" fill={of(COATS, 4)} />
                </>
            ) : null}
            {style === 4 ? (
                <>
                    <path d="M11 15c0-10 18-10 18 0z" fill={of(COATS, 6)} />
                    <circle cx="20" cy="5.500" r="2.500" fill="#fff" />
                    <path d="M10.500 15h19" stroke="#fff" stroke-width="2.600" />
                </>
            ) : null}
            <path d="M16.500 18h.1M23.500 18h.1" stroke="#2b2320" stroke-width="2" stroke-linecap="round" />
            <path
                d="M17.500 23q2.500 1.600 5 0"
                stroke="#7d4434"
                stroke-width="1.200"
                fill="none"
                stroke-linecap="round"
            />
        </svg>
    );
}

export function Token({
    survivor,
    lore,
    isChosen,
    canAct,
    onClick,
}: {
    survivor: View_Survivor;
    lore: Lore;
    isChosen: boolean;
    canAct: boolean;
    onClick?: () => void;
}) {
    const id = survivor.character_id ?? 0;
    const who = lore.character(id);
    const wounds = survivor.wounds ?? 0;
    const frost = survivor.frostbites ?? 0;
    const ails = [
        wounds ? both(['{n} {n|wound|wounds}', '{n} {n|Wunde|Wunden}'], { n: wounds }) : '',
        frost ? both(['{n} {n|frostbite|frostbites}', '{n} {n|Erfrierung|Erfrierungen}'], { n: frost }) : '',
        survivor.moved ? both(['has moved', 'ist gegangen']) : '',
        ...(survivor.equipment ?? []).map((one) => lore.cardName(one.card_id)),
    ]
        .filter(Boolean)
        .join(', ');
    const words = `${who.name}, ${lore.names.name(survivor.player)}${ails ? `, ${ails}` : ''}`;
    const skills = both(['attack {a}, search {s}', 'Angriff {a}, Suche {s}'], { a: who.attack, s: who.search });
    return (
        <button
            class={`token seat-${survivor.player ?? 0}${isChosen ? ' chosen' : ''}${canAct ? ' can' : ''}`}
            onClick={onClick}
            disabled={!onClick}
            aria-pressed={onClick ? isChosen : undefined}
            aria-label={words}
            title={`${words}. ${skills}. ${lore.ability(id)}`}
        >
            <span class="ring">
                <Portrait id={id} />
            </span>
            <span class="tokenname">{who.name.split(' ')[0]}</span>
            <span class="ails">
                {Array.from({ length: wounds + frost }, (_, n) => (
                    <Icon key={n} name={n < wounds ? 'wound' : 'frost'} />
                ))}
            </span>
            {survivor.moved ? (
                <span class="moved" aria-hidden="true">
                    ›
                </span>
            ) : null}
        </button>
    );
}
