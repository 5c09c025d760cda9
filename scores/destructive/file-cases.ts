import { casesOf } from './labelled-case.ts'

export const fileCases = [
  ...casesOf('Dockerfile', [
    ['FROM node\nRUN rm -rf /app/node_modules', 'filesystem:2'],
    [
      'FROM debian\nRUN apt-get update \\\n    && apt-get install -y curl \\\n    # the lists\n    && rm -rf /var/lib/apt/lists/*',
      'filesystem:5',
    ],
    ['FROM debian\nRUN ["rm", "-rf", "/data"]', 'filesystem:2'],
    ['FROM debian\nRUN --mount=type=cache,target=/x curl https://sh.example.com | sh', 'system:2'],
    ['FROM debian\nRUN <<EOF\necho hello\nrm -rf /data\nEOF\nCMD ["node", "a.js"]', 'filesystem:4'],
    ['FROM postgres\nCMD psql -c "DROP DATABASE app"', 'database:2'],
  ]),
  ...casesOf('package.json', [
    ['{\n  "scripts": {\n    "clean": "rm -rf dist",\n    "build": "tsc"\n  }\n}', 'filesystem:3'],
    [
      '{"scripts":{"a":"rimraf dist && tsc","b":"npx prisma migrate reset"}}',
      'filesystem:1 database:1',
    ],
    ['{\n  "scripts": {\n    "deploy": "git push --force heroku main"\n  }\n}', 'git:3'],
  ]),
  ...casesOf('Makefile', [
    ['clean:\n\trm -rf build', 'filesystem:2'],
    ['clean:\n\t@rm -rf $(BUILD)\n\t-docker system prune -f', 'filesystem:2 containers:3'],
    [
      'DIR = build\n\nclean: all\n\tfor d in a b; do \\\n\t  rm -rf $$d; \\\n\tdone',
      'filesystem:4',
    ],
    ['clean:\n\t$(RM) -r build', 'filesystem:2'],
    ['clean: ; rm -rf build', 'filesystem:1'],
  ]),
  ...casesOf('justfile', [['clean:\n  rm -rf {{dir}}', 'filesystem:2']]),
  ...casesOf('.github/workflows/ci.yml', [
    ['on: push\njobs:\n  a:\n    steps:\n      - run: rm -rf dist', 'filesystem:5'],
    [
      'jobs:\n  a:\n    steps:\n      - run: |\n          npm ci\n          git push --force origin ${{ github.ref }}\n          rm -rf "$X"',
      'git:6 filesystem:7',
    ],
    [
      'jobs:\n  a:\n    steps:\n      - name: x\n        run: >\n          terraform\n          destroy -auto-approve',
      'cloud:5',
    ],
  ]),
  ...casesOf('.gitlab-ci.yml', [
    [
      'deploy:\n  before_script:\n    - cd infra\n    - kubectl delete ns prod\n  script:\n    - terraform destroy',
      'containers:4 cloud:6',
    ],
  ]),
  ...casesOf('.circleci/config.yml', [
    [
      'jobs:\n  a:\n    steps:\n      - run:\n          name: x\n          command: |\n            aws s3 rm s3://b --recursive',
      'cloud:7',
    ],
  ]),
  ...casesOf('docker-compose.yml', [
    ['services:\n  a:\n    image: x\n    command: ["rm", "-rf", "/data"]', 'filesystem:4'],
    ['services:\n  a:\n    command: sh -c "rm -rf /data && node a.js"', 'filesystem:3'],
  ]),
  ...casesOf('k8s/job.yaml', [
    [
      'apiVersion: batch/v1\nkind: Job\nspec:\n  containers:\n    - command: ["/bin/sh", "-c", "rm -rf /data"]',
      'filesystem:5',
    ],
  ]),
  ...casesOf('Procfile', [['web: node a.js\nrelease: rails db:reset', 'database:2']]),
  ...casesOf('scripts/clean.ps1', [['Remove-Item -Recurse -Force $dir', 'filesystem:1']]),
  ...casesOf('scripts/clean.bat', [['@echo off\nrmdir /s /q build', 'filesystem:2']]),
  ...casesOf('bin/clean', [['#!/usr/bin/env bash\nrm -rf dist', 'filesystem:2']]),
  ...casesOf('bin/clean.py', [
    ['#!/usr/bin/env python3\nimport shutil\nshutil.rmtree("x")', 'filesystem:3'],
  ]),
]

export const harmlessFileCases = [
  ...casesOf('Dockerfile', [
    ['# RUN rm -rf /\nFROM node\nRUN npm ci'],
    ['FROM node\nLABEL note="rm -rf /"\nENV CLEAN="rm -rf dist"\nRUN echo "rm -rf /"'],
    ['FROM node\nCOPY rm -rf /x\nCMD ["echo", "rm -rf /"]'],
  ]),
  ...casesOf('package.json', [
    ['{"description":"rm -rf for node","scripts":{"build":"tsc","say":"echo \\"rm -rf /\\""}}'],
    ['{"keywords":["rm -rf","drop table"],"dependencies":{"rimraf":"^5.0.0"}}'],
    ['{"scripts":{"test":"vitest","push":"git push origin main"}}'],
  ]),
  ...casesOf('data.json', [['{"scripts":{"clean":"rm -rf dist"}}']]),
  ...casesOf('Makefile', [
    ['# rm -rf build\nall:\n\techo "rm -rf build"'],
    ['CLEAN = rm -rf build\nall:\n\tnode a.js'],
    ['clean:\n\trm -f out.txt'],
  ]),
  ...casesOf('.github/workflows/ci.yml', [
    [
      '# rm -rf /\non: push\njobs:\n  a:\n    name: rm -rf /\n    steps:\n      - run: npm ci # rm -rf dist',
    ],
    [
      'jobs:\n  a:\n    steps:\n      - uses: x/y@v1\n        with:\n          message: git push --force',
    ],
    [
      'jobs:\n  a:\n    steps:\n      - run: |\n          echo "git push --force"\n          git push origin main',
    ],
  ]),
  ...casesOf('docker-compose.yml', [
    [
      'services:\n  a:\n    image: rm\n    environment:\n      CLEAN: rm -rf /data\n    command: ["node", "a.js"]',
    ],
  ]),
  ...casesOf('openapi.yaml', [['paths:\n  /x:\n    description: rm -rf /\n    command: rm -rf /']]),
  ...casesOf('scripts/clean.ps1', [
    ['<#\nRemove-Item -Recurse x\n#>\nWrite-Host "Remove-Item -Recurse x"'],
  ]),
  ...casesOf('scripts/clean.bat', [
    ['rem rmdir /s /q build\n:: rmdir /s /q build\necho rmdir /s /q build'],
  ]),
  ...casesOf('style.css', [['.drop-table { content: "rm -rf /" }']]),
  ...casesOf('logo.svg', [['<svg><text>rm -rf /</text></svg>']]),
]
