export { webConsole } from './web-console.ts'
