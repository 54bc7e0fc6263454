export { operations } from './operations.ts'
