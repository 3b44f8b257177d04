// use.ts: what a match's set-up and game bring along, fetched when a match is looked at: face, names, texts.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MatchFacts } from '../generated/engine';
import { nameAt } from '../net/seated';
import { nameOf, textsFile, type Texts } from '../proto/setup';
import { language, t } from '../words/say';
import { loadFace, loadOpening, type Face, type Names, type Opening } from './face';
import type { Json } from '../proto/game';

export function useFace(game: string | undefined): Face | null {
    const [face, setFace] = useState<{ game: string; face: Face } | null>(null);
    useEffect(() => {
        if (!game) return;
        void loadFace(game).then((loaded) => setFace({ game, face: loaded }));
    }, [game]);
    return face?.game === game ? (face?.face ?? null) : null;
}

// What a game adds to the dialog in which a table is opened; nothing until it is here.
export function useOpening(game: string): Opening | null {
    const [found, setFound] = useState<{ game: string; opening: Opening } | null>(null);
    useEffect(() => void loadOpening(game).then((opening) => setFound({ game, opening })), [game]);
    return found?.game === game ? found.opening : null;
}

// What a person wrote; what is no JSON is nothing.
function parsed(text: string | undefined): Json {
    try {
        return text === undefined ? null : JSON.parse(text);
    } catch {
        return null;
    }
}

export interface Who {
    name?: string;
    bot?: boolean;
}

// Who holds several seats is told apart by them, or by the names that people at this screen gave themselves.
function called(seats: readonly Who[], one: number, at: string | undefined): string {
    const own = at === undefined ? undefined : nameAt(at, one);
    if (own !== undefined) return own;
    const name = seats[one]?.name;
    if (!name) return t('seat_n', { n: one + 1 });
    return seats.filter((other) => other.name === name).length > 1 ? `${name} (${one + 1})` : name;
}

export function useNames(
    facts: Pick<MatchFacts, 'game' | 'setup' | 'options'> | null,
    seats: readonly Who[],
    seat: number | undefined,
    match?: string,
): Names {
    const [texts, setTexts] = useState<Texts>({});
    const setup = useMemo(() => parsed(facts?.setup), [facts?.setup]);
    const options = useMemo(() => parsed(facts?.options), [facts?.options]);
    const game = facts?.game ?? '';
    const written = facts?.setup ?? '';
    useEffect(() => {
        if (written === '') return;
        const name = nameOf(game, written);
        if (name !== undefined) void textsFile(game, name, language.value).then(setTexts);
    }, [written, language.value]);
    return {
        game,
        seats: seats.length,
        seat,
        setup,
        options,
        texts,
        name: (one) => (one === undefined ? '?' : called(seats, one, match)),
    };
}
