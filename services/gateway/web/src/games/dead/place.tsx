// place.tsx: a place: its entrances with zombies and barricades, and who is there.
import type { JSX } from 'preact';
import type { View_Entrance, View_Location, View_Survivor } from '../../generated/dead';
import type { Choices } from '../../proto/legal';
import { both, type Both } from '../../words/say';
import { classes } from '../../ui/classes';
import { Icon } from './icons';
import type { Lore } from './lore';
import { Token } from './token';

const SLOTS = 3;

function Zombie() {
    return (
        <svg viewBox="0 0 20 24" class="piece zombie" aria-hidden="true">
            <path
                d="M3 11.500C3 9.500 4.500 9 7.500 9s4 .5 4.500 1.500h6.500v2.600
                H12v1.700h5.500v2.500H12V24H9.400v-5.500H6.800V24H3.800z"
            />
            <path d="M3.500 4.800a4 4 0 0 1 8 0c0 2-1 3.400-2.200 3.700H6C4.500 8.200 3.500 6.800 3.500 4.800z" />
            <path class="eyes" d="M6 5h.1M9.300 5h.1" />
        </svg>
    );
}
function Planks() {
    return (
        <svg viewBox="0 0 20 24" class="piece planks" aria-hidden="true">
            <path d="M1 4l18 3v4L1 8zM1 13l18-2v4L1 17zM1 19l18 1v3L1 22.500z" />
        </svg>
    );
}

// A deed that is not possible now stays there, pale: asked for all the same, the house says why not.
interface Deed {
    play: () => void;
    isPossible: boolean;
}
interface Deeds {
    attack?: Deed;
    barricade?: Deed;
}

const WHY: Both = ['not possible now; a click says why', 'geht jetzt nicht; ein Klick sagt, warum'];
export function paleWords({ isPossible }: { isPossible: boolean }, words: string): string {
    return isPossible ? words : `${words} (${both(WHY)})`;
}

function DoorDeed({ deed, sign, words }: { deed: Deed | undefined; sign: string; words: string }) {
    if (!deed) return null;
    const said = paleWords(deed, words);
    return (
        <button class={`deed${deed.isPossible ? '' : ' pale'}`} onClick={deed.play} aria-label={said} title={said}>
            <Icon name={sign} />
        </button>
    );
}

function Entrance({ entrance, number, deeds }: { entrance: View_Entrance; number: number; deeds: Deeds }) {
    const zombies = entrance.zombies ?? 0;
    const barricades = entrance.barricades ?? 0;
    const pieces: JSX.Element[] = [];
    for (let n = 0; n < zombies; n++) pieces.push(<Zombie key={`z${n}`} />);
    for (let n = 0; n < barricades; n++) pieces.push(<Planks key={`b${n}`} />);
    for (let n = zombies + barricades; n < SLOTS; n++) pieces.push(<i key={`s${n}`} class="piece free" />);
    const isLit = deeds.attack?.isPossible || deeds.barricade?.isPossible;
    return (
        <li
            class={classes('entrance', zombies > 0 && 'threatened', isLit && 'lit')}
            aria-label={both(
                [
                    'Entrance {n}: {z} {z|zombie|zombies}, {b} {b|barricade|barricades}',
                    'Eingang {n}: {z} {z|Zombie|Zombies}, {b} {b|Barrikade|Barrikaden}',
                ],
                { n: number + 1, z: zombies, b: barricades },
            )}
        >
            <div class="pieces">{pieces}</div>
            <DoorDeed
                deed={deeds.attack}
                sign="attack"
                words={both(['Attack at entrance {n}', 'An Eingang {n} angreifen'], { n: number + 1 })}
            />
            <DoorDeed
                deed={deeds.barricade}
                sign="barricade"
                words={both(['Barricade entrance {n}', 'Eingang {n} verbarrikadieren'], { n: number + 1 })}
            />
        </li>
    );
}

export function Place({
    place,
    people,
    lore,
    choices,
    chosen,
    canAct,
    onChoose,
    play,
}: {
    place: View_Location;
    people: View_Survivor[];
    lore: Lore;
    choices: Choices;
    chosen: number | undefined;
    canAct: ReadonlySet<number>;
    onChoose: ((character: number) => void) | null;
    play: (command: ReturnType<Choices['command']>) => void;
}) {
    const id = place.location_id ?? 0;
    const isColony = id === lore.colony;
    const isHere = people.some((one) => one.character_id === chosen);
    const ways = chosen === undefined ? [] : [0, 1].filter((fuel) => choices.has('move', chosen, id, fuel));
    const plain = chosen !== undefined && ways.length === 0 && choices.has('move', chosen, id);
    const room = lore.room(id);
    const zombies = (place.entrances ?? []).reduce((sum, one) => sum + (one.zombies ?? 0), 0);
    const act = (kind: string, entrance: number): Deed | undefined =>
        isHere
            ? {
                  play: () => play(choices.command(kind, chosen, entrance)),
                  isPossible: choices.has(kind, chosen, entrance),
              }
            : undefined;
    const isFar = chosen !== undefined && !isHere && ways.length === 0 && !plain;
    const walk = both(['Walk here', 'Hierher gehen']);
    const isBase = (lore.names.options?.edition ?? 'base') === 'base';
    return (
        <li class={`place${isColony ? ' colony' : ''}${ways.length > 0 || plain ? ' reach' : ''}`}>
            <header>
                <h2>{lore.place(id)}</h2>
                <span class="row small soft">
                    {zombies > 0 ? (
                        <span class="chip warm">
                            {both(['{n} {n|zombie|zombies}', '{n} {n|Zombie|Zombies}'], { n: zombies })}
                        </span>
                    ) : null}
                    {isColony ? null : (
                        <span class="chip" title={both(['Cards still to be found', 'Karten, die noch zu finden sind'])}>
                            {both(['{n} cards', '{n} Karten'], { n: place.cards_left ?? 0 })}
                        </span>
                    )}
                    {room === undefined ? null : (
                        <span class="chip num" title={both(['People and room', 'Leute und Plätze'])}>
                            {people.length}/{room}
                        </span>
                    )}
                </span>
            </header>
            <ol class="entrances">
                {(place.entrances ?? []).map((entrance, n) => (
                    <Entrance
                        key={n}
                        entrance={entrance}
                        number={n}
                        deeds={{ attack: act('attack', n), barricade: act('barricade', n) }}
                    />
                ))}
            </ol>
            <div class="people">
                {people.map((one) => (
                    <Token
                        key={one.character_id}
                        survivor={one}
                        lore={lore}
                        isChosen={one.character_id === chosen}
                        canAct={canAct.has(one.character_id ?? -1)}
                        onClick={
                            onChoose && one.player === lore.names.seat
                                ? () => onChoose(one.character_id ?? 0)
                                : undefined
                        }
                    />
                ))}
                {ways.map((fuel) => (
                    <button
                        key={fuel}
                        class="button small main go"
                        onClick={() => play(choices.command('move', chosen, id, fuel))}
                    >
                        {fuel ? both(['Drive here', 'Hierher fahren']) : walk}
                    </button>
                ))}
                {plain ? (
                    <button class="button small main go" onClick={() => play(choices.command('move', chosen, id))}>
                        {walk}
                    </button>
                ) : null}
                {isFar ? (
                    <button
                        class="button small go pale"
                        onClick={() => play(choices.command('move', chosen, id, isBase ? 0 : undefined))}
                        aria-label={paleWords({ isPossible: false }, walk)}
                        title={both(WHY)}
                    >
                        {walk}
                    </button>
                ) : null}
            </div>
        </li>
    );
}
