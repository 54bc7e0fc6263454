import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment'
import { validate as volumeClaim } from 'kubernetes-models/_schemas/IoK8sApiCoreV1PersistentVolumeClaim'
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { validate as disruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget'
import { parseAllDocuments } from 'yaml'

const validators: Readonly<Record<string, (data: unknown) => boolean>> = {
  'apps/v1 Deployment': deployment,
  'v1 PersistentVolumeClaim': volumeClaim,
  'v1 Service': service,
  'policy/v1 PodDisruptionBudget': disruptionBudget,
}

/** The rules for manifests. */
export interface KubernetesContext {
  /** Whether an environment variable means something to an oracle. */
  isVariable(name: string): boolean
  /** The maximum duration of a shutdown of an oracle, in seconds. */
  readonly stopSeconds: number
}

/** The parts of a pod that are checked by more than the schema. */
interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly enableServiceLinks: boolean
  readonly containers: readonly {
    readonly image: string
    readonly env: readonly { readonly name: string; readonly value: string }[]
    readonly livenessProbe: { readonly httpGet: { readonly path: string } }
    readonly readinessProbe: { readonly httpGet: { readonly path: string } }
  }[]
}

/**
 * Checks manifests by the schemas of Kubernetes, without unknown keys, and the probes and times of their pods.
 *
 * @returns One sentence per error.
 */
export const checkKubernetes = (text: string, context: KubernetesContext): string[] => {
  const manifests = parseAllDocuments(text).map(document => document.toJS() as Manifest)
  const pods = manifests.flatMap(({ spec }) => (spec.template ? [spec.template.spec] : []))
  return [...manifests.flatMap(schemaViolations), ...pods.flatMap(pod => podViolations(pod, context))]
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly spec: { readonly template?: { readonly spec: Pod } }
}

const schemaViolations = (manifest: Manifest): string[] => {
  const { apiVersion, kind } = manifest
  const validate = validators[`${apiVersion} ${kind}`]
  if (!validate) return [`${apiVersion} ${kind} is unknown.`]
  const unread = new Set<string>()
  if (!validate(watched(manifest, '', unread))) {
    const { errors } = validate as unknown as { readonly errors: readonly SchemaError[] }
    return errors.map(
      ({ instancePath, keyword, params }) => `${kind}: ${instancePath} ${keyword} ${JSON.stringify(params)}.`,
    )
  }
  return [...unread].map(path => `${kind}: ${path} is unknown.`)
}

/** An error of a validator of Ajv, without its message. */
interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: unknown
}

/** Returns a view of a value. The validators ignore unknown keys, so `unread` lists the keys that they never read. */
const watched = (value: unknown, path: string, unread: Set<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const at = (key: string) => `${path}/${key}`
  const views = new Map(Object.entries(value).map(([key, one]) => [key, watched(one, at(key), unread)]))
  for (const key of views.keys()) unread.add(at(key))
  return new Proxy(value, {
    get(target, key, receiver) {
      if (typeof key !== 'string' || !views.has(key)) return Reflect.get(target, key, receiver)
      unread.delete(at(key))
      return views.get(key)
    },
  })
}

const podViolations = (pod: Pod, { isVariable, stopSeconds }: KubernetesContext): string[] => {
  const { containers, terminationGracePeriodSeconds, enableServiceLinks } = pod
  const rules: [boolean, string][] = [
    [terminationGracePeriodSeconds > stopSeconds + 8, 'it has no time to stop'],
    [enableServiceLinks === false, 'links of services mix with its settings'],
    [containers.every(({ image }) => /:\d+\.\d+\.\d+$/.test(image)), 'its image has no whole version'],
    [
      containers.every(({ env }) => env.every(({ name }) => isVariable(name))),
      'it has a variable that no oracle knows',
    ],
    [
      containers.every(({ env }) => env.every(({ name }) => !/PASSWORD|KEY|TOKEN|MNEMONIC|DATABASE_URL/.test(name))),
      'a secret is in it',
    ],
    [containers.every(one => one.livenessProbe.httpGet.path === '/'), 'its restart depends on the database'],
    [containers.every(one => one.readinessProbe.httpGet.path === '/health'), 'it is ready without the database'],
  ]
  return rules.flatMap(([holds, violation]) => (holds ? [] : [`Pod: ${violation}.`]))
}
