// face.tsx: dead is shown by what its messages say, and played by the list of actions; it has no board of its own.
export { plainFace as face } from '../plain';
