import { Code, Group, Stack, Text } from '@mantine/core'
import type { ClaimDetails } from '@sibyl/plugin-claims/records'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/copy-button.tsx'
import { Note } from '../../components/note.tsx'
import { Section } from '../../components/section.tsx'

/** The evidence of a claim, by hash and address. */
export const EvidenceSection = ({ claim: { evidence } }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  return (
    <Section title={t('claims.evidence')}>
      {evidence.length === 0 ? (
        <Note>{t('claims.noEvidence')}</Note>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {evidence.map(({ hash, mediaType, name, url }) => (
            <li key={`${hash} ${url ?? ''}`}>
              <Text size="sm" fw={500}>
                <span>{name ?? mediaType}</span> {name !== undefined && <Code>{mediaType}</Code>}
              </Text>
              <Group gap={4} wrap="nowrap">
                <Code style={{ overflowWrap: 'anywhere' }}>{hash}</Code>
                <CopyButton value={hash} label={t('claims.copyHash')} />
              </Group>
              {url !== undefined && (
                <Group gap={4} wrap="nowrap">
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {url}
                  </Text>
                  <CopyButton value={url} label={t('claims.copyAddress')} />
                </Group>
              )}
            </li>
          ))}
          <Text size="xs" c="dimmed" component="li">
            {t('claims.evidenceNote')}
          </Text>
        </Stack>
      )}
    </Section>
  )
}
