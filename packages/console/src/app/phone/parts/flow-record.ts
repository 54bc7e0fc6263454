import { useQuery } from '@tanstack/react-query'
import { useAccess, useApi } from '../../session/console-context.tsx'

/** A text by language code. */
export type Texts = Readonly<Record<string, string>>

/** A screen of the menus. */
export interface FlowNode {
  readonly id: string
  readonly kind: 'menu' | 'input' | 'message' | 'confirm' | 'secret' | 'choice' | 'action'
  readonly text?: Texts
  readonly back: 'previous' | 'none' | { readonly screen: string }
  readonly ends: boolean
}

/** A way from a screen to another one, or to `exit`. */
export interface FlowEdge {
  readonly from: string
  readonly to: string
  readonly kind: 'option' | 'answer' | 'yes' | 'no' | 'result' | 'failure'
  readonly key?: string
  readonly label?: Texts
}

/** The menus, and what a phone needs: `GET /api/ussd/flow`. */
export interface FlowRecord {
  readonly start: string
  readonly languages: readonly { readonly code: string; readonly name: string }[]
  readonly keys: { readonly back: string; readonly more: string; readonly previous: string }
  readonly gateway: {
    readonly onlyTrusted: boolean
    readonly textMode: 'cumulative' | 'last' | 'auto'
    readonly serviceCodes: readonly string[]
    readonly sessionSeconds: number
    readonly replySeconds: number
    readonly providers: readonly { readonly name: string; readonly title: string }[]
  }
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
}

/** Reads the menus, which need the right of an operator. */
export const useFlow = () => {
  const api = useApi()
  const access = useAccess()
  return useQuery({
    queryKey: ['ussd flow'],
    queryFn: ({ signal }) => api.get<FlowRecord>('/api/ussd/flow', { signal }),
    enabled: access.has('ussd') && access.may('operator/read'),
    staleTime: 300_000,
  })
}
