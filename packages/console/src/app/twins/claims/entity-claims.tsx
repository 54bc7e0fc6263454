import type { ClaimRecord } from '@sibyl/protocol'
import { FileCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { usePages } from '../../components/use-pages.ts'
import { ClaimRows } from './claim-rows.tsx'

/** The claims about an entity, newest first. */
export const EntityClaims = ({ asset }: { readonly asset: string }) => {
  const { t } = useTranslation('twins')
  const pages = usePages<ClaimRecord>('v1/claims', 'claims', { asset, limit: 50 })
  if (pages.isLoading) return <LoadingState />
  if (pages.error) return <ErrorState error={pages.error} onRetry={pages.refetch} />
  if (pages.items.length === 0) {
    return (
      <EmptyState icon={<FileCheck size={28} aria-hidden />} title={t('claims.noneAbout')}>
        {t('claims.noneAboutRemedy')}
      </EmptyState>
    )
  }
  return <ClaimRows pages={pages} hideAsset />
}
