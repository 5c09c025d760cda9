import { buildDoor } from '../build-door.ts'

export default buildDoor(['task.ts'])
