import type { ProjectFile, SourceFacts } from '../answers/project-facts.ts'
import { packageCommands } from './package-commands.ts'

/** Renders the folder `deploy`: a systemd unit, a compose file with PostgreSQL, and the proxy of several processes. */
export const renderDeploy = ({ answers }: SourceFacts): ProjectFile[] => {
  const { port, packageManager } = answers
  return [
    { path: 'deploy/oracle.service', content: systemdUnit },
    { path: 'deploy/compose.yaml', content: renderCompose(port, packageCommands(packageManager).add) },
    { path: 'deploy/Caddyfile', content: renderCaddyfile(port) },
  ]
}

const systemdUnit = `# systemd unit of an oracle with SQLite on one machine: /etc/systemd/system/oracle.service
[Unit]
Description=Oracle
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
User=oracle
Group=oracle
WorkingDirectory=/opt/oracle
Environment=NODE_ENV=production HOST=127.0.0.1 DATABASE_URL=file:/var/lib/oracle/sibyl.db FILES_DIR=/var/lib/oracle/files NODE_COMPILE_CACHE=/var/cache/oracle
EnvironmentFile=/etc/oracle.env
ExecStart=/usr/bin/node src/main.ts
Restart=on-failure
RestartSec=2
# 3: an invalid setting, which a restart does not fix. Any other code restarts it: 75, a condition that can pass, such as a
# database that is not up yet, and 74, a disk that failed during a commit, whose state only a new process can read.
RestartPreventExitStatus=3
KillMode=mixed
TimeoutStopSec=20
StateDirectory=oracle
StateDirectoryMode=0700
CacheDirectory=oracle
CacheDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictSUIDSGID=yes
LockPersonality=yes
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`

const renderCompose = (
  port: number,
  add: string,
): string => `# In the project: ${add} pg@8 && install -m 600 .env deploy/.env
# In deploy/.env set POSTGRES_PASSWORD (letters and digits alone) and PUBLIC_URL. Then, in the folder deploy:
#   docker compose up --build --detach                    one oracle on PostgreSQL
#   docker compose --profile fleet up --build --detach    two behind a proxy; set SITE_ADDRESS and TRUST_PROXY_ENABLED=true

x-oracle: &oracle
  build:
    context: ..
    dockerfile: Dockerfile
  image: oracle:0.1.0
  env_file: .env
  environment:
    NODE_ENV: production
    PORT: "${port}"
    DATABASE_URL: postgres://sibyl:\${POSTGRES_PASSWORD:?set it in deploy/.env}@database:5432/sibyl
  depends_on:
    database:
      condition: service_healthy
  restart: unless-stopped
  stop_grace_period: 20s
  read_only: true
  tmpfs:
    - /tmp
  volumes:
    - files:/data
  cap_drop:
    - ALL
  security_opt:
    - no-new-privileges:true

services:
  database:
    image: postgres:17.6-bookworm
    environment:
      POSTGRES_USER: sibyl
      POSTGRES_DB: sibyl
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?set it in deploy/.env}
    volumes:
      - database:/var/lib/postgresql/data
    healthcheck:
      test: ["CMD", "pg_isready", "--username", "sibyl", "--dbname", "sibyl"]
      interval: 5s
      timeout: 3s
      retries: 10
    restart: unless-stopped
    stop_grace_period: 60s

  oracle:
    <<: *oracle
    ports:
      - "127.0.0.1:${port}:${port}"

  oracle-2:
    <<: *oracle
    profiles:
      - fleet

  proxy:
    image: caddy:2.11.4-alpine
    profiles:
      - fleet
    volumes:
      - ./Caddyfile:/etc/caddy/Caddyfile:ro
      - proxy:/data
    ports:
      - "80:80"
      - "443:443"
    environment:
      SITE_ADDRESS: \${SITE_ADDRESS:-:80}
    depends_on:
      oracle:
        condition: service_healthy
      oracle-2:
        condition: service_healthy
    restart: unless-stopped

volumes:
  database:
  files:
  proxy:
`

const renderCaddyfile = (
  port: number,
): string => `# If SITE_ADDRESS is a host name, such as oracle.example.org, Caddy requests a certificate for it.
{$SITE_ADDRESS} {
	reverse_proxy oracle:${port} oracle-2:${port} {
		lb_policy least_conn
		lb_try_duration 5s
		health_uri /health
		health_interval 2s
		flush_interval -1
	}
}
`
