export { errorOf, json, TestClient } from './oauth-client.test.support.ts'
export { type PathProxy, pathProxies } from './path-proxies.test.support.ts'
