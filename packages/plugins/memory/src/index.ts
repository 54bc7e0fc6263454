export { memory } from './memory.ts'
