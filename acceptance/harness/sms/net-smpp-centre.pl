# An SMS centre of Perl's Net::SMPP, which shares no code with ours. It prints what it gets, and takes commands from its
# standard input, one per line:
#   behave NUMBER accept | accept DELIVRD | accept UNDELIV | refuse STATUS TIMES | silent     (NUMBER * for all others)
#   deliver SEQUENCE FROM HEX    sends a text of a telephone in the GSM alphabet; "confirmed SEQUENCE STATUS" is printed later
#   raw HEX                      writes bytes
#   cut                          closes every connection without a word
use strict;
use warnings;
use IO::Select;
use Net::SMPP;

$| = 1;
$SIG{PIPE} = 'IGNORE';
# Net::SMPP warns of each connection that ends.
$SIG{__WARN__} = sub { };
my ($port) = @ARGV;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => $port, smpp_version => 0x34, timeout => 60)
  or die "cannot listen: $!";
print "listening\n";

my $own = '33700000001';
my ($ids, $receipts) = (0, 1_000_000);
my %behaviours = ('*' => ['accept']);
my %bound;
my $waiting = IO::Select->new($listener, \*STDIN);
my $commands = '';

while (1) {
  for my $ready ($waiting->can_read) {
    if ($ready == $listener) { my $client = $listener->accept; $waiting->add($client) if $client }
    elsif ($ready == \*STDIN) {
      exit 0 unless sysread STDIN, $commands, 65_536, length $commands;
      while ($commands =~ s/^(.*)\n//) { carry_out(split ' ', $1) }
    }
    else { my $pdu = $ready->read_pdu; $pdu ? answer($ready, $pdu) : end($ready) }
  }
}

sub end {
  my ($client) = @_;
  my $was_bound = delete $bound{$client};
  $waiting->remove($client);
  close $client;
  printf "ended %d\n", scalar keys %bound if $was_bound;
}

sub answer {
  my ($client, $pdu) = @_;
  my ($command, $seq) = ($pdu->{cmd}, $pdu->{seq});
  if ($command == Net::SMPP::CMD_bind_transceiver) {
    my $known = $pdu->{system_id} eq 'tocsin' && $pdu->{password} eq 'sesame';
    $client->bind_transceiver_resp(seq => $seq, system_id => 'perl', status => $known ? 0 : 0x0e);
    return unless $known;
    $bound{$client} = $client;
    printf "bound %d\n", scalar keys %bound;
  } elsif ($command == Net::SMPP::CMD_enquire_link) {
    $client->enquire_link_resp(seq => $seq);
    print "enquired\n";
  } elsif ($command == Net::SMPP::CMD_unbind) {
    $client->unbind_resp(seq => $seq);
    print "unbound\n";
    end($client);
  } elsif ($command == Net::SMPP::CMD_submit_sm) {
    submit($client, $pdu);
  } elsif ($command == Net::SMPP::CMD_deliver_sm_resp) {
    print "confirmed $seq $pdu->{status}\n";
  }
}

sub submit {
  my ($client, $pdu) = @_;
  my $to = $pdu->{destination_addr};
  my $behaviour = $behaviours{$to} // $behaviours{'*'};
  my ($kind, @more) = @$behaviour;
  printf "submitted %s %d %d %s\n", $to, $pdu->{data_coding}, $pdu->{esm_class}, unpack('H*', $pdu->{short_message});
  return if $kind eq 'silent';
  if ($kind eq 'refuse') {
    my ($status, $times) = @more;
    $behaviours{$to} = $times > 1 ? ['refuse', $status, $times - 1] : ['accept'];
    return $client->submit_sm_resp(seq => $pdu->{seq}, message_id => '', status => $status);
  }
  my $id = sprintf 'perl-%d', ++$ids;
  $client->submit_sm_resp(seq => $pdu->{seq}, message_id => $id);
  receipt($client, $id, $to, $more[0]) if @more && $pdu->{registered_delivery};
}

sub receipt {
  my ($client, $id, $from, $state) = @_;
  my $delivered = $state eq 'DELIVRD';
  deliver($client, ++$receipts, $from, sprintf('id:%s sub:001 dlvrd:%03d stat:%s err:000 text:', $id, $delivered, $state),
    esm_class => 4, receipted_message_id => "$id\0", message_state => $delivered ? "\x02" : "\x05");
}

sub deliver {
  my ($client, $seq, $from, $text, @more) = @_;
  $client->deliver_sm(
    source_addr_ton => 1, source_addr_npi => 1, source_addr => $from,
    dest_addr_ton => 1, dest_addr_npi => 1, destination_addr => $own,
    short_message => $text, seq => $seq, async => 1, @more);
}

sub carry_out {
  my ($name, @words) = @_;
  my ($client) = values %bound;
  if ($name eq 'behave') { my $to = shift @words; $behaviours{$to} = [@words] }
  elsif ($name eq 'deliver' && $client) { deliver($client, $words[0], $words[1], pack('H*', $words[2])) }
  elsif ($name eq 'deliver') { print "confirmed $words[0] -1\n" }
  elsif ($name eq 'raw') { $_->syswrite(pack 'H*', $words[0]) for values %bound }
  elsif ($name eq 'cut') { end($_) for values %bound }
}
