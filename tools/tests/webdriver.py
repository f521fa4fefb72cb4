"""A small client of WebDriver: Chromium without a window, driven through chromedriver over HTTP.

Source: the W3C's WebDriver recommendation; the log of the console is chromedriver's own extension.
"""

import base64
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
KEYS = {'enter': '\ue007', 'down': '\ue015', 'up': '\ue013', 'end': '\ue010', 'home': '\ue011',
        'tab': '\ue004', 'escape': '\ue00c', 'left': '\ue012', 'right': '\ue014', 'space': ' '}


class Browser:
    """One window of a browser; a context manager."""

    def __init__(self, width=1280, height=900, dark=False, downloads=None):
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(['chromedriver', f'--port={port}'], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.base = f'http://127.0.0.1:{port}'
        self.session = None
        arguments = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     f'--window-size={width},{height}', '--hide-scrollbars']
        if dark:
            arguments.append('--blink-settings=preferredColorScheme=0')
        options = {'args': arguments}
        if downloads:
            options['prefs'] = {'download.default_directory': str(downloads)}
        wanted = {'browserName': 'chrome', 'goog:chromeOptions': options, 'goog:loggingPrefs': {
            'browser': 'ALL', 'performance': 'ALL'}, 'timeouts': {'script': 600_000, 'pageLoad': 600_000}}
        try:
            self._await_driver()
            answer = self._send('POST', '/session', {'capabilities': {'alwaysMatch': wanted}})
            self.session = answer['sessionId']
            self.command('Emulation.setDeviceMetricsOverride', width=width, height=height,
                         deviceScaleFactor=1, mobile=False)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if self.session:
                self._send('DELETE', f'/session/{self.session}')
        finally:
            self.driver.terminate()
            self.driver.wait(120)

    def _await_driver(self):
        for _ in range(3000):
            try:
                if self._send('GET', '/status')['ready']:
                    return
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.1)
        raise RuntimeError('chromedriver does not answer')

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {'Content-Type': 'application/json'}
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(f'{method} {path}: {error.read().decode()[:600]}') from None

    def send(self, method, path, body=None):
        """Sends a command of the session, and returns its value."""
        return self._send(method, f'/session/{self.session}{path}', body)

    def command(self, name, **parameters):
        """Sends a command of the browser's own protocol."""
        return self.send('POST', '/goog/cdp/execute', {'cmd': name, 'params': parameters})

    def open(self, address):
        self.send('POST', '/url', {'url': address})

    def run(self, script, *arguments):
        """Runs a script, the body of an asynchronous function, and returns what that gives."""
        code = ('const done = arguments[arguments.length - 1]; (async (...given) => {' + script + '})'
                '(...[...arguments].slice(0, -1))'
                '.then((value) => done([value]), (error) => done(String(error)));')
        value = self.send('POST', '/execute/async', {'script': code, 'args': list(arguments)})
        if isinstance(value, str):
            raise RuntimeError(value)
        return value[0]

    def await_true(self, expression, seconds=120):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f'return Boolean({expression})'):
            if time.monotonic() > end:
                raise AssertionError(f'not true within {seconds} s: {expression}')
            time.sleep(0.05)

    def find(self, selector):
        """The first element that a CSS selector names."""
        return self.send('POST', '/element', {'using': 'css selector', 'value': selector})[ELEMENT]

    def click(self, selector):
        """Clicks an element, again if the page replaces it after it was found."""
        while True:
            try:
                return self.send('POST', f'/element/{self.find(selector)}/click', {})
            except RuntimeError as error:
                if 'stale element' not in str(error):
                    raise

    def point(self, selector):
        """Moves the pointer onto an element."""
        origin = {ELEMENT: self.find(selector)}
        move = {'type': 'pointerMove', 'duration': 0, 'x': 0, 'y': 0, 'origin': origin}
        pointer = {'type': 'pointer', 'id': 'mouse', 'actions': [move]}
        self.send('POST', '/actions', {'actions': [pointer]})

    def press(self, *keys):
        """Presses keys, one after the other, on the element that has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{'type': 'keyDown', 'value': value}, {'type': 'keyUp', 'value': value}]
        self.send('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': actions}]})

    def console(self):
        """What the console was told since the last time."""
        return self.send('POST', '/se/log', {'type': 'browser'})

    def requests(self):
        """The addresses that were asked for since the last time."""
        lines = [json.loads(line['message'])['message'] for line in self.send(
            'POST', '/se/log', {'type': 'performance'})]
        return [line['params']['request']['url'] for line in lines
                if line['method'] == 'Network.requestWillBeSent']

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.send('GET', '/screenshot')))
