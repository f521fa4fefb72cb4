import contextlib
import io
import pathlib
import tempfile
import unittest

from tests import script

port_ios = script('port-ios')


class PortTests(unittest.TestCase):
    def port(self, **files):
        """The files of the copy, and what the report says."""
        with tempfile.TemporaryDirectory() as place:
            folder, copy = pathlib.Path(place, 'App'), pathlib.Path(place, 'App-linux')
            folder.mkdir()
            for name, text in files.items():
                (folder / f'{name}.swift').write_text(text)
            with contextlib.redirect_stdout(io.StringIO()) as output:
                port_ios.report(copy, *port_ios.port(folder, copy))
            self.assertEqual({name: (folder / f'{name}.swift').read_text() for name in files}, files)
            return {path.stem: path.read_text() for path in copy.glob('*.swift')}, output.getvalue()

    def test_attributes_go_and_text_in_strings_and_comments_stays(self):
        files, _ = self.port(A=(
            '@objcMembers public class A: NSObject { // @objc stays\n'
            '  @objc(doIt:) dynamic func go(_ a: Int) { print("@objc dynamic var") }\n'
            '  @objc\n  private var dynamic = 1\n}\n'))
        self.assertEqual(files['A'], (
            'public class A: NSObject { // @objc stays\n'
            '  func go(_ a: Int) { print("@objc dynamic var") }\n'
            '  private var dynamic = 1\n}\n'))

    def test_optional_methods_have_defaults_and_are_called_plainly(self):
        files, report = self.port(
            P=('@objc public protocol P: AnyObject {\n  func must()\n'
               '  @objc optional func may(_ a: Int,\n    b: String)\n'
               '  @objc optional func count() -> Int\n}\n'),
            C='delegate?.may?(1, b: "x"); onDone?(2); self.delegate?.peripheral?(p, didReadRSSI: r)\n')
        self.assertIn('extension P {\n    public func may(_ a: Int, b: String) {}\n}', files['P'])
        self.assertNotIn('optional', files['P'])
        self.assertEqual(
            files['C'],
            'delegate?.may(1, b: "x"); onDone?(2); self.delegate?.peripheral(p, didReadRSSI: r)\n')
        self.assertIn('P.swift:5  an optional method with a result', report)

    def test_selectors_of_timers_observers_and_delayed_calls_become_closures(self):
        files, report = self.port(A=(
            'class A {\n'
            '  func a() { t = Timer.scheduledTimer(timeInterval: f(1, 2), target: self, '
            'selector: #selector(tick), userInfo: nil, repeats: true) }\n'
            '  func b() { NotificationCenter.default.addObserver(self, selector: #selector(A.heard(_:)), '
            'name: .x, object: nil) }\n'
            '  func c() { perform(#selector(self.late(value:)), with: v, afterDelay: 2) }\n'
            '  @objc func tick() {}\n  @objc func heard(_ note: Notification) {}\n'
            '  @objc func late(value: Any?) {}\n  let s = #selector(stranger)\n}\n'))
        text = files['A']
        self.assertIn('Timer.scheduledTimer(withTimeInterval: f(1, 2), repeats: true) '
                      '{ [weak self] _ in self?.tick() }', text)
        self.assertIn('_ = NotificationCenter.default.addObserver(forName: .x, object: nil, queue: nil) '
                      '{ [weak self] note in self?.heard(note) }', text)
        self.assertIn('DispatchQueue.main.asyncAfter(deadline: .now() + 2) '
                      '{ [weak self] in self?.late(value: v) }', text)
        self.assertIn('A.swift:8  #selector: keep a closure', report)

    def test_a_timer_keeps_what_it_was_made_with(self):
        files, _ = self.port(A=(
            'class A {\n'
            '  func a() { Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick(_:)), '
            'userInfo: ["a": b], repeats: false) }\n'
            '  func b() { t = Timer(timeInterval: 2, target: self, selector: #selector(tick(_:)), '
            'userInfo: nil, repeats: true) }\n'
            '  @objc func tick(_ t: Timer) { use(t.userInfo) }\n}\n'))
        self.assertIn('TimerWithUserInfo.scheduledTimer(timeInterval: 1, userInfo: ["a": b], repeats: false) '
                      '{ [weak self] timer in self?.tick(timer) }', files['A'])
        self.assertIn('override var userInfo: Any? { info }', files['A'])
        self.assertIn('t = Timer(fire: Date(timeIntervalSinceNow: 2), interval: 2, repeats: true) '
                      '{ [weak self] timer in self?.tick(timer) }', files['A'])
        self.assertEqual(files['A'].count('class TimerWithUserInfo: Timer'), 1)

    def test_what_is_left_is_named_with_its_line_unless_a_condition_leaves_it_out(self):
        _, report = self.port(A=(
            'import CoreBluetooth\nimport UIKit\n#if canImport(Combine)\nimport Combine\n#endif\n'
            'let o = p.observe(\\.state) { _ in }\n'))
        self.assertIn('A.swift:2  import UIKit', report)
        self.assertNotIn('Combine', report)
        self.assertIn('A.swift:6  key-value observing', report)

    def test_code_that_needs_nothing_is_copied_as_it_is(self):
        text = 'import CoreBluetooth\nlet a = 1\n'
        files, report = self.port(A=text)
        self.assertIn('nothing had to be changed', report)
        self.assertEqual(files['A'], text)

    def test_unbalanced_code_is_survived(self):
        files, _ = self.port(A=(
            '@objc protocol P { @objc optional func a(\nTimer.scheduledTimer(target: self, (\n'))
        self.assertNotIn('@objc', files['A'])
