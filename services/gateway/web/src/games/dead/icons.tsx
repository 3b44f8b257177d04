// icons.tsx: the small pictures of the dead, drawn here, so that no font decides how they look.
const DRAWN: Record<string, string> = {
    round: 'M12 3a9 9 0 1 0 .1 0zM12 7v5l4 2',
    morale: 'M12 20.500s-8-5-8-11a4.400 4.400 0 0 1 8-2.600 4.400 4.400 0 0 1 8 2.600c0 6-8 11-8 11z',
    food:
        'M6 6c0-3 12-3 12 0v12c0 3-12 3-12 0zM6 6c0 3 12 3 12 0M6 11c0 2.500 12 2.500 12 0M6 15c0 2.500 12 ' +
        '2.500 12 0',
    waste: 'M4 7h16M9.500 7V4h5v3M6 7l1.200 13h9.600L18 7M10 11v5.500M14 11v5.500',
    hunger: 'M6 3v5a2.500 2.500 0 0 0 5 0V3M8.500 3v18M17 21v-8M17 13c-2.500-1-2.500-9 0-10z',
    people: 'M9 4a3 3 0 1 0 .1 0zM3.500 20c0-8 11-8 11 0zM16.500 6a2.400 2.400 0 1 0 .1 0zM17 20h4c0-5-2-7-5-6.800',
    barricade: 'M3 6l18-1.500v4L3 10zM3 14.500l18 1.500v3.500L3 18zM7 9.500v5M17 9v7',
    attack: 'M5 4l11 12M19 4 8 16M4.500 14l5.500 5.500M19.500 14 14 19.500M7 17l-3 3M17 17l3 3',
    medicine: 'M9 4h6v5h5v6h-5v5H9v-5H4V9h5z',
    fuel: 'M6 7h8l4 4v9.500H6zM8 7V3.500h5V7M9 12.500l6 5M15 12.500l-6 5',
    stuff: 'M4 8l8-4.500L20 8v8.500L12 21l-8-4.500zM4 8l8 4.500L20 8M12 12.500V21',
    lock: 'M5.500 11h13v9.500h-13zM8 11V8a4 4 0 0 1 8 0v3M12 14.500v2.500',
    scissors: 'M7 15.500a2.500 2.500 0 1 0 .1 0zM17 15.500a2.500 2.500 0 1 0 .1 0zM8.500 16 16 3M15.500 16 8 3',
    hammer: 'M4 4.500h10c3 0 5 1.500 6 4-2-1.200-3.500-1-4.500 0H13v12H9v-12H4z',
    snowBoots: 'M7 3h7v8.500c4 .5 6.500 2 6.500 5v2H7zM7 18.500v2.500h13.500v-2.500M7 7h7',
    blueprint: 'M4.500 4h15v16h-15zM8 8h8v5h-3M8 8v8h5',
    colt: 'M3 6.500h17.500v4H14c0 3-2 3.500-4.500 3L8 19.500H4l1.500-7H3z',
    swab: 'M18 3 11 13M6.500 12.500l8 4.500-2 4.500-9-1.500zM8 20l1.500-3M12 18.500l-.5 2.500',
    wound: 'M12 3c4 5.500 6 8.500 6 11.500a6 6 0 0 1-12 0C6 11.500 8 8.500 12 3z',
    frost: 'M12 3v18M4.500 7.500l15 9M19.500 7.500l-15 9M9.500 4.500 12 7l2.500-2.500M9.500 19.500 12 17l2.500 2.500',
};

export function Icon({ name }: { name: string }) {
    return (
        <svg class={`dicon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
            <path d={DRAWN[name.replace('snow_boots', 'snowBoots')] ?? DRAWN['stuff']} />
        </svg>
    );
}
