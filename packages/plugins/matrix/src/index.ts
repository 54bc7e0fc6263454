export { MatrixHttp } from './client/matrix-http.ts'
export { matrix } from './matrix.ts'
