import { buildDoor } from '../build-door.ts'

export default buildDoor(['roadmap.ts'])
