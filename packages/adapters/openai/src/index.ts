export { openai } from './openai.ts'
