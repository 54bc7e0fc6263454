export { type MemoryOptions, memory } from './memory.ts'
