import { buildDoor } from '../build-door.ts'

// The sandbox starts the forwarder as a program of its own.
export default buildDoor(['sandbox.ts', 'sandbox-forwarder.ts'])
