#!/usr/bin/python3
"""Runs the steps of action.yml as a runner of GitHub does, in a repository of its own.

  tools/tests/action.py --package FILE      the tarball or wheel that the Action installs
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / 'action.yml').read_text(encoding='utf-8'))
EXPRESSION = re.compile(r'\$\{\{ *(.*?) *\}\}')


class Job:
    """One job that uses the Action: the runner's files, and what the steps leave behind."""

    def __init__(self, folder, inputs, **variables):
        self.workspace = folder / 'workspace'
        self.temp = folder / 'temp'
        self.temp.mkdir(exist_ok=True)
        unknown = set(inputs) - set(ACTION['inputs'])
        assert not unknown, unknown
        self.inputs = {name: inputs.get(name, row['default']) for name, row in ACTION['inputs'].items()}
        self.outputs = {}
        self.log = ''
        self.environment = {
            'PATH': '/usr/bin:/bin', 'HOME': str(folder), 'LC_ALL': 'C.UTF-8', 'GITHUB_ACTIONS': 'true',
            'RUNNER_TEMP': str(self.temp), 'GITHUB_ACTION_PATH': str(ROOT),
            'GITHUB_STEP_SUMMARY': str(self.temp / 'summary'), **variables}
        self.succeeded = all([self.step(step) for step in ACTION['runs']['steps']])

    @property
    def summary(self):
        """The summary of the job."""
        path = self.temp / 'summary'
        return path.read_text(encoding='utf-8') if path.exists() else ''

    def value(self, expression):
        """The value of the few expressions that action.yml has."""
        if found := re.fullmatch(r"inputs\.([\w-]+) (==|!=) '(.*)'", expression):
            return (self.inputs[found[1]] == found[3]) == (found[2] == '==')
        if found := re.fullmatch(r'inputs\.([\w-]+)', expression):
            return self.inputs[found[1]]
        if found := re.fullmatch(r'steps\.(\w+)\.outputs\.(\w+)', expression):
            return self.outputs.get(found[1], {}).get(found[2], '')
        if expression == 'github.action_repository':
            return self.environment.get('ACTION_REPOSITORY', '')
        assert expression == 'runner.temp', expression
        return str(self.temp)

    def text(self, template):
        """A text with its expressions replaced."""
        return EXPRESSION.sub(lambda found: str(self.value(found[1])), template)

    def step(self, step):
        """Runs a step; whether it succeeded. A step behind a failed one does not run."""
        if getattr(self, 'has_failed', False) or 'if' in step and not self.value(step['if']):
            return True
        if 'uses' in step:
            place = pathlib.Path(self.text(step['with']['path']))
            self.uploaded = sorted(path.name for path in place.glob('*'))
            return True
        assert step['shell'] == 'bash' and '${{' not in step['run'], step
        files = {name: self.temp / name for name in ('GITHUB_OUTPUT', 'GITHUB_PATH')}
        for file in files.values():
            file.write_text('')
        variables = {name: self.text(value) for name, value in step.get('env', {}).items()}
        run = subprocess.run(
            ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step['run']], cwd=self.workspace,
            env={**self.environment, **variables, **{name: str(file) for name, file in files.items()}},
            capture_output=True, text=True, check=False)
        self.log += run.stdout + run.stderr
        lines = files['GITHUB_OUTPUT'].read_text().splitlines()
        self.outputs[step.get('id', '')] = dict(line.split('=', 1) for line in lines)
        for line in files['GITHUB_PATH'].read_text().splitlines():
            self.environment['PATH'] = f'{line}:{self.environment["PATH"]}'
        self.has_failed = run.returncode != 0
        return not self.has_failed

    def output(self, name):
        """An output of the Action."""
        return self.text(ACTION['outputs'][name]['value'])


class ActionTests(unittest.TestCase):
    """The Action on a pull request, on an issue, and with a log to replay."""

    package = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.workspace = self.folder / 'workspace'
        self.workspace.mkdir()

    def copy(self, capture, name):
        """Puts a capture of this repository into the workspace."""
        target = self.workspace / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / 'captures' / capture, target)
        return target

    def job(self, inputs, **variables):
        """Runs a job with the package under test."""
        return Job(self.folder, {'package': str(self.package), **inputs}, **variables)

    def git(self, *words):
        """Runs git in the workspace."""
        subprocess.run(['git', '-C', self.workspace, '-c', 'user.name=a', '-c', 'user.email=a@b', *words],
                       check=True, capture_output=True)

    def test_a_log_of_a_failure_fails_the_job_with_a_summary_sarif_and_a_page(self):
        self.copy('mi-band.btsnoop', 'logs/night one.btsnoop')
        job = self.job({'logs': 'logs'})
        self.assertFalse(job.succeeded, job.log)
        self.assertIn('### ✗', job.summary)
        self.assertIn('Application Error', job.summary)
        self.assertEqual(job.output('verdict'), 'failed')
        self.assertIn('"version":"2.1.0"', pathlib.Path(job.output('sarif')).read_text())
        self.assertEqual(job.uploaded, ['1-logs.html', 'blecap.sarif'])

    def test_a_log_without_a_failure_passes(self):
        self.copy('bonding.btsnoop', 'good.btsnoop')
        job = self.job({'logs': 'good.btsnoop', 'report': 'false'})
        self.assertTrue(job.succeeded, job.log)
        self.assertEqual(job.output('verdict'), 'ok')
        self.assertFalse(hasattr(job, 'uploaded'))

    def test_never_lets_a_failure_pass(self):
        self.copy('mi-band.btsnoop', 'bad.btsnoop')
        self.assertTrue(self.job({'logs': 'bad.btsnoop', 'fail-on': 'never'}).succeeded)

    def test_of_a_pull_request_only_the_captures_that_it_adds_are_read(self):
        self.copy('mi-band.btsnoop', 'old.btsnoop')
        self.git('init', '-q', '-b', 'main')
        self.git('add', '.')
        self.git('commit', '-q', '-m', 'a')
        subprocess.run(['git', 'clone', '-q', '--bare', self.workspace, self.folder / 'origin'], check=True,
                       capture_output=True)
        self.git('remote', 'add', 'origin', f'file://{self.folder}/origin')
        self.copy('bonding.btsnoop', 'new ä.btsnoop')
        (self.workspace / 'notes.md').write_text('no capture\n')
        self.git('add', '.')
        self.git('commit', '-q', '-m', 'b')
        job = self.job({}, GITHUB_BASE_REF='main')
        self.assertTrue(job.succeeded, job.log)
        self.assertIn('logs: 1\nnew ä.btsnoop', job.log)
        self.assertEqual(job.output('verdict'), 'ok')

    def test_an_action_that_the_job_checked_out_takes_the_release_of_where_it_came_from(self):
        action = self.workspace / '.blecap'
        for file in ('tools/action', 'Sources/Command/blecap/Table/CommandTable+Program.swift'):
            (action / file).parent.mkdir(parents=True)
            shutil.copy(ROOT / file, action / file)
        for words in (['init', '-q'], ['remote', 'add', 'origin', 'https://127.0.0.1:9/somebody/blecap']):
            subprocess.run(['git', '-C', action, *words], check=True)
        (self.folder / 'curl').write_text('#!/bin/sh\necho "$*"; exit 22\n')
        (self.folder / 'curl').chmod(0o755)
        job = Job(self.folder, {}, GITHUB_ACTION_PATH=str(action), PATH=f'{self.folder}:/usr/bin:/bin')
        self.assertFalse(job.succeeded)
        self.assertRegex(job.log, r'https://127\.0\.0\.1:9/somebody/blecap/releases/download/v[\d.]+/blecap-')

    def test_an_action_that_the_runner_fetched_takes_the_release_of_its_repository(self):
        action = self.folder / 'action'
        for file in ('tools/action', 'Sources/Command/blecap/Table/CommandTable+Program.swift'):
            (action / file).parent.mkdir(parents=True)
            shutil.copy(ROOT / file, action / file)
        (self.folder / 'curl').write_text('#!/bin/sh\necho "$*"; exit 22\n')
        (self.folder / 'curl').chmod(0o755)
        job = Job(self.folder, {}, GITHUB_ACTION_PATH=str(action), PATH=f'{self.folder}:/usr/bin:/bin',
                  ACTION_REPOSITORY='somebody/blecap', GITHUB_SERVER_URL='https://127.0.0.1:9')
        self.assertIn('https://127.0.0.1:9/somebody/blecap/releases/download/v', job.log)

    def test_without_logs_it_says_so_and_passes(self):
        job = self.job({'attachments': 'It fails; $(touch evil) `touch evil` see https://example.org/a.log'})
        self.assertTrue(job.succeeded, job.log)
        self.assertIn('No Bluetooth logs', job.summary)
        self.assertEqual(list(self.workspace.iterdir()), [])

    def test_a_log_is_replayed_with_its_key_which_appears_nowhere(self):
        self.copy('uqdk-unlock.btsnoop', 'unlock.btsnoop')
        keys = (ROOT / 'captures' / 'uqdk-unlock.keys.json').read_text()
        job = self.job(
            {'logs': 'unlock.btsnoop', 'replay': 'unlock.btsnoop', 'keys': keys, 'fail-on': 'never'})
        self.assertTrue(job.succeeded, job.log)
        self.assertIn('SAME: ', job.summary)
        self.assertEqual(job.uploaded, ['1-unlock.btsnoop.html', 'blecap.sarif', 'junit.xml'])
        (secret,) = set(re.findall(r'"key" *: *"([0-9a-f]{32})"', keys))
        files = (job.temp / 'blecap' / 'upload').iterdir()
        everything = [job.log, job.summary, *(file.read_text() for file in files)]
        self.assertFalse([text for text in everything if secret in text.lower()])
        self.assertEqual((job.temp / 'blecap/keys.json').stat().st_mode & 0o777, 0o600)

    def test_a_replay_that_differs_fails_the_job(self):
        self.copy('uqdk-refusals.btsnoop', 'night.btsnoop')
        keys = (ROOT / 'captures' / 'uqdk-unlock.keys.json').read_text()
        job = self.job({'logs': 'night.btsnoop', 'replay': 'night.btsnoop', 'keys': keys, 'fail-on': 'never'})
        self.assertFalse(job.succeeded, job.log)
        self.assertIn('DIVERGED', job.summary)


class PageTests(unittest.TestCase):
    """What a reader copies from the pages, and what GitHub reads from .github."""

    def blocks(self, page):
        """The values of a page's blocks of YAML."""
        text = (ROOT / 'docs' / page).read_text(encoding='utf-8')
        return [yaml.safe_load(block) for block in re.findall(r'^```yaml\n(.*?)^```$', text, re.M | re.S)]

    def test_the_examples_are_yaml_and_give_the_action_inputs_that_it_has(self):
        workflow, scanning, gitlab = self.blocks('services.md')
        *_, step = workflow['jobs']['logs']['steps']
        self.assertEqual(step['uses'], './.blecap')
        self.assertLessEqual(set(step['with']), set(ACTION['inputs']))
        self.assertIn('upload-sarif', scanning[0]['uses'])
        self.assertEqual(gitlab['bluetooth logs']['artifacts']['reports'], {'junit': 'junit.xml'})
        self.assertEqual(len(self.blocks('ci.md')), 1)

    def test_the_page_has_a_row_for_each_input(self):
        text = (ROOT / 'docs' / 'services.md').read_text(encoding='utf-8')
        rows = ' '.join(re.findall(r'^\| (`[^|]*`) \|', text, re.M))
        self.assertEqual(set(re.findall(r'`([\w-]+)`', rows)), set(ACTION['inputs']))

    def test_nobody_has_to_replace_an_owner(self):
        for page in [*(ROOT / 'docs').glob('*.md'), ROOT / 'README.md']:
            self.assertNotIn('OWNER', page.read_text(encoding='utf-8'), page)

    def test_the_forms_ask_for_the_verdict_and_say_how_a_log_stays_private(self):
        forms = sorted((ROOT / '.github' / 'ISSUE_TEMPLATE').glob('*.yml'))
        for path in forms:
            form = yaml.safe_load(path.read_text(encoding='utf-8'))
            if path.stem == 'config':
                continue
            fields = {field['id']: field for field in form['body'] if 'id' in field}
            self.assertTrue(fields['verdict']['validations']['required'], path)
            self.assertIn('maintainers may see', form['body'][0]['attributes']['value'])
        self.assertEqual(len(forms), 3)

    def test_a_release_is_made_by_the_packaging_and_its_test(self):
        release = yaml.safe_load((ROOT / '.github' / 'workflows' / 'release.yml').read_text(encoding='utf-8'))
        runs = ' '.join(step.get('run', '') for step in release['jobs']['packages']['steps'])
        self.assertIn('tools/package --tag', runs)
        self.assertIn('tools/test-package', runs)

    def test_the_badge_shows_what_the_workflow_runs(self):
        text = (ROOT / 'README.md').read_text(encoding='utf-8')
        badge = re.search(r'actions/workflows/(\w+\.yml)/badge', text)
        path = ROOT / '.github' / 'workflows' / badge.group(1)
        steps = yaml.safe_load(path.read_text(encoding='utf-8'))['jobs']['tests']['steps']
        self.assertEqual(steps[-1], {'run': '.ci/run'})


if __name__ == '__main__':
    options = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    options.add_argument('--package', type=pathlib.Path, required=True)
    arguments, rest = options.parse_known_args()
    ActionTests.package = arguments.package.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
