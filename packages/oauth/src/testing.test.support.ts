export { errorOf, json, TestClient } from './oauth-client.test.support.ts'
