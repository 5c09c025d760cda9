import { buildDoor } from '../build-door.ts'

export default buildDoor(['files.ts'])
