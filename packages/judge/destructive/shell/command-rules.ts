import type { DestructiveCategory } from '../operation.ts'

/**
 * Irreversible commands, one per line: programs by name (`mkfs.*` with any ending), then conditions
 * on the arguments.
 *
 *     reset|drop        the next operand, as a regular expression for the whole word
 *     …drop  ~drop      any word; one of the first six operands
 *     zero$             the last operand
 *     -f|--force        one of these options
 *     --size=0          an option with this value
 *     !-n|--dry-run     negates a condition
 *     <unclear>         a condition of `conditions` in judge-command.ts
 *
 * Ignores the case of programs and words. In each category, the first matching line decides, with
 * its sentence.
 */
export const commandRules: readonly (readonly [
  DestructiveCategory,
  sentences: Readonly<Record<string, string>>,
])[] = [
  [
    'filesystem',
    {
      'It deletes folders with everything in them.': `
      rm -r|-R|--recursive
      rmdir|rd …/s
      deltree
      rimraf|del-cli|rm-rf .+
      remove-item|ri …-(r|rec|recurse|force|fo)`,
      'It deletes files that are only known when it runs.': 'rm|unlink|srm <unclear>',
      'It deletes a folder that is only known when it runs.': 'rmdir|rd <unclear>',
      'It deletes files without asking.': `
      del|erase …/[sqf]
      del|erase <unclear>`,
      'It deletes every file that the search finds.': 'find|fd …-delete',
      'It deletes files that the other side does not have.': `
      rsync …--(del(ete(-.*)?)?|remove-source-files)
      robocopy …/(mir|purge|move?)`,
      'It throws files away.': 'mv /dev/null$',
      'It empties a file.': 'truncate -s|--size=<?0[KMGB]?',
      'It changes the permissions of whole folders and keeps no record of the old ones.': `
      chmod -R|--recursive 0?(777|000|0)|(a|ugo)?[+=]rwx
      chmod -R|--recursive <system-folder>`,
      'It changes the owner of whole folders of the system.':
        'chown|chgrp -R|--recursive <perhaps-system-folder>',
      'It overwrites files or a whole disk.': String.raw`
      shred|wipe .+
      mkfs|mkfs.*|mke2fs|mkswap|newfs
      wipefs -a|--all|-o|--offset
      blkdiscard|diskpart|lvremove|vgremove|pvremove
      fdisk !-l|--list
      sfdisk !-l|-d|--list|--dump
      sgdisk -Z|-z|-o|-d|--zap-all|--zap|--clear|--delete
      parted …(mklabel|mktable|mkpart|rm|resizepart)
      dd …of=(?!/dev/(null|stdout|stderr)$).*
      diskutil erase\w*|reformat|zeroDisk|secureErase|partitionDisk
      format …[a-z]:
      zfs destroy|rollback
      zpool destroy|labelclear
      btrfs subvolume delete
      cryptsetup …(luksFormat|erase|luksErase|luksKillSlot)
      mdadm --zero-superblock
      hdparm --security-erase|--security-erase-enhanced
      nvme format|sanitize
      badblocks -w
      vssadmin delete
      cipher …/w.*`,
    },
  ],
  [
    'git',
    {
      'It deletes branches of the remote repository.': `
      git push -d|--delete|--prune|--mirror !-n|--dry-run
      git push …:.+ !-n|--dry-run`,
      'It rewrites history that others may have.': String.raw`
      git push -f|--force|--force-with-lease !-n|--dry-run
      git push …\+.+ !-n|--dry-run
      git force-push|filter-branch|filter-repo
      bfg|git-filter-repo`,
      'It throws away changes that were not committed.': String.raw`
      git reset --hard
      git checkout -f|--force
      git checkout …(\.|:/)
      git switch -f|--force|--discard-changes
      git restore …(\.|:/|\*) !-S|--staged
      git restore …(\.|:/|\*) -W|--worktree
      git stash drop|clear
      git rm -r -f|--force
      git worktree remove -f|--force
      git submodule deinit -f|--force`,
      'It deletes files that git does not know.': 'git clean -f|--force !-n|--dry-run',
      'It drops commits that nothing else may reference.': `
      git branch -D
      git branch -d|--delete -f|--force
      git reflog expire|delete
      git update-ref -d
      git gc --prune=now|all
      git prune !-n|--dry-run`,
      'It deletes something of the repository on the server.': `
      gh|glab|hub repo|release|project|secret|variable|issue|gist|cache delete
      gh|glab|hub api -X|--method=DELETE`,
    },
  ],
  [
    'database',
    {
      'It deletes a database, its tables or all their rows.': String.raw`
      dropdb|dropuser
      mysqladmin …drop
      prisma migrate reset
      prisma db --force-reset|--accept-data-loss
      rails|rake …db:(drop|reset|purge|migrate:reset|schema:load|structure:load|truncate_all|seed:replant)(:\w+)*
      artisan|console|sail|php …(migrate:(fresh|refresh|reset)|db:wipe|schema:dump)
      artisan|console|sail|php …doctrine:(schema|database):drop
      manage.py|django|django-admin ~(flush|reset_db|sqlflush_run)
      manage.py|django|django-admin …migrate zero$
      sequelize|sequelize-cli …db:(drop|migrate:undo:all)
      knex migrate:rollback --all
      typeorm|typeorm-ts-node-commonjs schema:drop
      mikro-orm schema:(drop|fresh)|migration:fresh|database:drop
      alembic|flask …downgrade …base
      supabase db reset
      drizzle-kit|dbmate drop
      flyway …clean
      liquibase …drop-?all
      mix …ecto\.(drop|reset)
      diesel database reset|drop
      sqlx database|db reset|drop
      sea-orm-cli migrate fresh|reset|refresh
      heroku pg:reset
      dotnet ef database drop
      goose reset$
      migrate drop$
      migrate …drop -f
      etcdctl …del --prefix|--from-key
      nodetool clearsnapshot
      rabbitmqctl reset|force_reset|delete_queue|purge_queue|delete_vhost
      kafka-topics|kafka-topics.sh --delete
      redis-cli|valkey-cli flushall|flushdb`,
    },
  ],
  [
    'containers',
    {
      'It deletes containers with their volumes or images.': `
      docker-compose|podman-compose down -v|--volumes|--rmi
      docker-compose|podman-compose rm -v|-f|--force`,
      'It deletes containers, images or volumes.': `
      docker|podman|nerdctl system|volume|container|image|network|builder|buildx prune
      docker|podman|nerdctl volume|stack|service|secret|config rm|remove
      docker|podman|nerdctl rm|rmi -f|-v|--force|--volumes
      docker|podman|nerdctl container|image rm|remove -f|-v|--force|--volumes
      docker|podman|nerdctl stack down
      docker|podman|nerdctl swarm leave -f|--force`,
      'It deletes what a cluster runs.': `
      kubectl|oc delete|drain !…--dry-run(=(client|server|true))?
      kubectl|oc replace --force !…--dry-run(=(client|server|true))?
      kubectl|oc apply --prune !…--dry-run(=(client|server|true))?
      velero|argocd|flux …(delete|uninstall)
      skaffold|tilt delete
      tilt down`,
      'It removes a release and everything that runs in it.':
        'helm uninstall|delete|del|un !--dry-run',
      'It deletes a cluster.': 'kind|minikube|k3d|eksctl|kops …delete',
    },
  ],
  [
    'cloud',
    {
      'It deletes something that runs or is stored in a cloud.': String.raw`
      terraform|tofu|terragrunt destroy
      terraform|tofu|terragrunt apply …--?destroy(=true)?
      terraform|tofu|terragrunt state rm
      terraform|tofu|terragrunt workspace delete
      pulumi destroy
      pulumi stack rm
      pulumi state delete
      cdk|cdktf|vagrant destroy
      sst|serverless|sls remove
      sam|amplify delete
      aws …s3 …rb
      aws …s3 …rm --recursive
      aws …s3 …sync --delete
      aws (?!s3$).+ ~((batch-)?delete(-.+)?|(terminate|purge|deregister|reset)-.+|schedule-key-deletion|release-address)
      gcloud (?!config).+ ~(delete|purge|delete-.*)
      gsutil …rb
      gsutil …rm -r|-R
      gsutil …rm …[^-].*\*.*
      gsutil …rsync -d
      bq rm
      az ~(delete|purge|delete-batch|wipe)
      doctl ~(delete|destroy)
      linode-cli …(delete|rm)
      hcloud|copilot|supabase|pscale|neonctl .+ delete
      ibmcloud ~(.*-)?(delete|rm)
      oci ~(delete|terminate|bulk-delete)
      heroku (apps|addons|domains|pipelines|config):(destroy|remove|delete)
      fly|flyctl destroy
      fly|flyctl .+ destroy|delete
      vercel rm|remove
      netlify .*:delete
      firebase .*:(delete|disable|remove)
      wrangler ~delete
      railway down|delete
      eb terminate
      turso .+ destroy
      rclone purge|delete|deletefile|sync|rmdirs
      s3cmd|mc rb
      s3cmd del|rm -r|--recursive
      s3cmd --delete-removed
      mc rm -r|--recursive
      azcopy remove|rm
      vault delete
      vault kv delete|destroy|metadata
      consul kv delete
      nomad job stop
      nomad system gc`,
      'It takes a published package away from everybody.': `
      npm|pnpm|yarn unpublish
      yarn npm unpublish
      cargo|gem yank
      dotnet nuget delete
      nuget delete`,
    },
  ],
  [
    'system',
    {
      'It stops or restarts the machine.': `
      shutdown !-c
      reboot|halt|poweroff !--help
      init|telinit [06]
      systemctl …(poweroff|reboot|halt|kexec|emergency|rescue)
      stop-computer|restart-computer`,
      'It kills every process it can.': `
      kill <every-process>
      killall5`,
      'It deletes an account of the machine.': 'userdel|deluser|groupdel|delgroup',
      'It deletes every scheduled job of the account.': 'crontab -r',
      'It takes the firewall down.': `
      iptables|ip6tables -F|-X|--flush|--delete-chain
      nft flush ruleset
      ufw …(reset|disable)`,
      'It deletes keys of the registry.': 'reg delete',
      'It changes how the machine starts.': 'bcdedit …/delete(value)?',
    },
  ],
]
