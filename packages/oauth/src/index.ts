export { oauth } from './oauth.ts'
