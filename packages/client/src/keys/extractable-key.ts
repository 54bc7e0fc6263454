export { signingKeyFromSecret } from '@sibyl/identity/browser'
