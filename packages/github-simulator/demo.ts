export { type Demo, startDemo } from './demo/start-demo.ts'
